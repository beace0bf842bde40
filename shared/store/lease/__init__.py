"""Jobs and leases, for all tables of derived memory: each row is a job that runs under a lease.

`kinds.py` names the tables. Their own files import this package, and it imports none of them.
"""
