"""Health, readiness and metrics, for machines."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from shared.ephemeral.redis_client import is_usable
from shared.metrics.exporter import find_counters
from web.process.context import web_context

blueprint = Blueprint("status", __name__)


@blueprint.get("/healthz")
def healthz() -> tuple[Response, int]:
    """The process answers; with `?warm`, 503 until its first replies will be quick."""
    warm = web_context().warm.is_set()
    waits = "warm" in request.args and not warm
    return jsonify(status="ok", warm=warm), 503 if waits else 200


@blueprint.get("/readyz")
def readyz() -> tuple[Response, int]:
    """200 when rounds can run: Postgres takes writes, and is migrated. Redis may be down."""
    context = web_context()
    readiness = context.readiness.read()
    ready = readiness.reason is None
    redis_is_up = is_usable(context.services.redis)
    body = jsonify(
        ready=ready, reason=readiness.reason, schema=readiness.revision, redis=redis_is_up
    )
    return body, 200 if ready else 503


@blueprint.get("/metrics")
def metrics() -> Response:
    """The metrics of all processes of this gunicorn together."""
    text = generate_latest(find_counters()) + generate_latest(web_context().backlog)
    return Response(text, content_type=CONTENT_TYPE_LATEST)
