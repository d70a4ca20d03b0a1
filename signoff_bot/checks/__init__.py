"""The checks: one file a kind, each a pure judgement of evidence under its own parameters."""
