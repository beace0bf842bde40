"""Celery only: thin tasks, one file a kind of work."""
