"""What the tables of derived memory have in common: a row is a job, and is worked on under a lease.

`kinds.py` names the tables. Their own files import this package, and it imports none of them.
"""
