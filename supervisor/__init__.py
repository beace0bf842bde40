"""Starts and watches everything on one machine: `python -m supervisor`."""
