"""The prefix of the API's addresses. `POST /chat` is served without it, too."""

from __future__ import annotations

from flask import Request

PREFIX = "/api/v1"


def is_api(request: Request) -> bool:
    """Whether errors are told as problems (RFC 9457), also at addresses that are not there."""
    return request.path.startswith("/api/")
