"""Measurements, not timed tests: each prints what it found on this machine, this time."""
