"""State in Redis. It may be lost at any time, because Postgres has all data that must last."""
