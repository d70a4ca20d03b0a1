"""The faces of a verdict: text, JSON, Markdown, HTML. They show it and decide nothing."""
