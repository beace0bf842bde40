"""SQL: one file a table. Functions take the connection first; the caller owns the transaction.

`lease`: jobs, the same for all derived tables. `facts`, `search`: several tables for one purpose.
`upkeep`: work on all tables.
"""
