"""Background jobs. Each may run twice, late, or never, and does no harm by it.

`claims.py` inserts a job's row, `runner.py` runs the job; the other files say what each kind makes.
"""
