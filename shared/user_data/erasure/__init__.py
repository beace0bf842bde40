"""Deletion at the user's request: of messages, a conversation, a fact, or everything.

Each deletion returns a receipt with the numbers of deleted rows. A dry run only counts.
"""
