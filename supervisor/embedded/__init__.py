"""Postgres and Valkey from Python packages, as child processes on unix sockets.

A service (`Postgres`, `Valkey`) knows its folder, command and address, and when it is ready. Its
process belongs to the one that starts it: `service.py`, or the supervisor.
"""
