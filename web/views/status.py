"""Health, readiness and metrics, for machines."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from shared.ephemeral.client import is_reachable
from shared.errors import DatabaseUnavailableError
from shared.metrics.exporter import find_counters
from shared.store.upkeep import schema
from web.context import transaction, web_context

blueprint = Blueprint("status", __name__)


@blueprint.get("/healthz")
def healthz() -> tuple[Response, int]:
    """The process answers; with `?warm`, 503 until its first replies will be quick."""
    warm = web_context().warm.is_set()
    waits = "warm" in request.args and not warm
    return jsonify(status="ok", warm=warm), 503 if waits else 200


@blueprint.get("/readyz")
def readyz() -> tuple[Response, int]:
    """200 when rounds can run: Postgres is there and migrated far enough. Redis may be down."""
    migrated = _find_revision()
    ready = schema.is_enough(migrated)
    redis_is_up = is_reachable(web_context().services.redis)
    body = jsonify(ready=ready, schema=migrated, redis=redis_is_up)
    return body, 200 if ready else 503


@blueprint.get("/metrics")
def metrics() -> Response:
    """The metrics of all processes of this gunicorn together."""
    text = generate_latest(find_counters()) + generate_latest(web_context().backlog)
    return Response(text, content_type=CONTENT_TYPE_LATEST)


def _find_revision() -> str | None:
    try:
        with transaction() as connection:
            return schema.find_revision(connection)
    except DatabaseUnavailableError:
        return None
