"""Requests to servers that others run: models, providers of sign-in, Flower.

Whatever such a server sends is read within bounds, and the connection is cut beyond them. Requests
go by httpx within a `CallConnection`, which has the bounds and may be cut from another thread.
"""
