"""What Redis holds. All of it may be lost at any time: Postgres has what counts."""
