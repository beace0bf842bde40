"""Postgres and Valkey from Python packages, as child processes on unix sockets.

A service (`Postgres`, `Valkey`) knows its folder, command, address and how to tell that it is
ready; it holds no process. Whoever starts it does (`running.py`, or the supervisor).
"""
