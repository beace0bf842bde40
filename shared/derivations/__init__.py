"""Background jobs. It does no harm if a job runs twice, late, or never.

`claims.py` inserts a job's row, `runner.py` runs the job. The other files are one kind of job each.
"""
