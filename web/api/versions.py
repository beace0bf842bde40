"""The two forms of the API. `/api/v1` is documented; the addresses before it are aliases."""

from __future__ import annotations

from flask import has_request_context, request

PREFIX = "/api/v1"
#: Ends of addresses that have another name by now. They are served, and not documented.
FORMER = ("/import", "/memory")


def in_v1() -> bool:
    """Whether this request is answered in the form of `/api/v1`: with problems and cursors."""
    return has_request_context() and (request.path + "/").startswith(f"{PREFIX}/")
