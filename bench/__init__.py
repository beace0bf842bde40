"""Measurements. They assert nothing: each prints what it found on this machine, this time."""
