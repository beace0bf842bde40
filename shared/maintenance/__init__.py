"""What keeps a running site in order: the sweep, retention, and the check of invariants."""
