"""The GitHub Action: an event in, verdicts judged and published, outputs and a summary out."""
