"""Thin tasks, one file a kind of work."""
