"""Search in what a user has said: candidates, passages, hits, spelling, vectors."""
