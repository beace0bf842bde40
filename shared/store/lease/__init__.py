"""What the tables of derived memory have in common: the `processing` row and its life.

`kinds.py` says which tables these are; the tables' own files build upon this package, and it
knows nothing of them.
"""
