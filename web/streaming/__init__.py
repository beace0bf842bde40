"""Replies that are sent while they are written."""
