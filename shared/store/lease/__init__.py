"""Jobs and leases, for all tables of derived memory: each row is a job that runs under a lease.

The files of the tables import this package, and it imports none of them.
"""
