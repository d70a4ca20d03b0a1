"""Pure readers of text and records: what a line, a link, a form or a job name says."""
