"""The tasks, one file for each kind of work."""
