"""Attachments: what a file is, and how a prompt shows it."""
