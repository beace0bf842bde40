"""Search in a user's messages: candidates, passages, hits, spelling, vectors."""
