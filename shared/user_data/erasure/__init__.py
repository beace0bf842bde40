"""Deletion at the user's word: of messages, a conversation, a fact, or everything.

Each ends with a receipt that counts what went. A dry run only counts.
"""
