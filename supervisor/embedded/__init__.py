"""Postgres and Valkey from Python packages, as child processes on unix sockets.

A service (`Postgres`, `Valkey`) defines its folder, command and address, and a check of readiness.
The code that starts its process also stops it: `service.py`, or the supervisor.
"""
