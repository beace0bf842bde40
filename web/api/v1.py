"""Registers the views once more under `/api/v1`."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint

from web.api.versions import PREFIX


def make_v1(resources: Sequence[Blueprint]) -> Blueprint:
    """`/api/facts` and `/chat` become `/api/v1/facts` and `/api/v1/chat`."""
    v1 = Blueprint("v1", __name__, url_prefix=PREFIX)
    for resource in resources:
        prefix = (resource.url_prefix or "").removeprefix("/api")
        v1.register_blueprint(resource, url_prefix=prefix)
    return v1
