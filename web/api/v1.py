"""Gathers the views of the API under `/api/v1`."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint

from web.requests.routing import PREFIX


def make_v1(resources: Sequence[Blueprint]) -> Blueprint:
    v1 = Blueprint("v1", __name__, url_prefix=PREFIX)
    for resource in resources:
        v1.register_blueprint(resource)
    return v1
