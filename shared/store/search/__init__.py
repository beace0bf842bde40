"""Search: candidates, hits, spelling and vectors. Each query names the user."""
