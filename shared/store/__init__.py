"""SQL: one file a table. Functions take the connection first; the caller owns the transaction.

`lease`: jobs, the same for all derived tables. `facts`, `search`: what reads or writes several
tables for one purpose. `upkeep`: what looks at all tables.
"""
