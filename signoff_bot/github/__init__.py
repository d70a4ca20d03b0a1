"""The only door to GitHub: reads the evidence through PyGithub, and publishes the verdict."""
