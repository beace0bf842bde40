"""Retrieval: what one prompt is given, and what a search finds."""
