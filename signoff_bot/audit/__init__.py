"""Many verdicts: every pull request of many repositories, judged on a schedule and remembered."""
