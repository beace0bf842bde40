"""Attachments on their way in: checked, read in a process with limits, and stored."""
