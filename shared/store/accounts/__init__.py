"""Accounts and how they sign in. These tables are read before it is known who asks."""
