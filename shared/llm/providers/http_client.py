"""The process's HTTP client for models, with its kept connections."""

from __future__ import annotations

import atexit
import functools

import httpx

from shared.outbound.bounded_answers import watch_answers

KEPT_CONNECTIONS = 64
# A server may close a connection that was idle for long just when the next request is sent.
KEPT_S = 30
TIMEOUT_S = 30  # of requests that name none


@functools.cache
def model_client() -> httpx.Client:
    """The process's HTTP client, which threads may share.

    It has no limit of connections: rounds and jobs have limits of their own.
    """
    watch_answers()  # before the first connection is made
    limits = httpx.Limits(
        max_connections=None, max_keepalive_connections=KEPT_CONNECTIONS, keepalive_expiry=KEPT_S
    )
    client = httpx.Client(limits=limits, follow_redirects=True, timeout=TIMEOUT_S)
    atexit.register(client.close)
    return client
