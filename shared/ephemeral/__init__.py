"""State in Redis. It may be lost at any time, because Postgres holds everything that counts."""
