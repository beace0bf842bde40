"""Deletion at the user's word: of a conversation, a message, a fact with all that told it, of all.

Each ends with a receipt of what went. Tombstones keep away from Redis what others still hold.
"""
