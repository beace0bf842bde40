"""Maintenance of a running site: the sweep, retention, and the check of invariants."""
