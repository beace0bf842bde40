"""Health, readiness and metrics, for machines; agents and the model in use, for the page."""

from __future__ import annotations

from flask import Blueprint, Response, g, jsonify, request
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from shared.agents import list_agents
from shared.ephemeral.client import is_reachable
from shared.errors import DatabaseUnavailableError
from shared.llm import provider_of
from shared.metrics.exporter import find_counters
from shared.settings import STAND_IN_MODEL
from shared.store import users
from shared.store.upkeep import schema
from web.callers import needs
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
    """200 when rounds can run: Postgres is there and migrated. Redis may be down."""
    migrated = _find_revision()
    ready = migrated is not None
    redis_is_up = is_reachable(web_context().services.redis)
    body = jsonify(ready=ready, schema=migrated, redis=redis_is_up)
    return body, 200 if ready else 503


@blueprint.get("/metrics")
def metrics() -> Response:
    """The metrics of all processes of this gunicorn together."""
    return Response(generate_latest(find_counters()), content_type=CONTENT_TYPE_LATEST)


@blueprint.get("/api/agents")
@needs()
def agents() -> Response:
    return jsonify(
        agents=[
            {"name": agent.name, "title": agent.title, "description": agent.description}
            for agent in list_agents()
        ]
    )


@blueprint.get("/api/status")
@needs()
def status() -> Response:
    settings = web_context().services.settings
    return jsonify(
        model=settings.llm_model,
        provider=provider_of(settings.llm_model),
        stand_in=settings.llm_model == STAND_IN_MODEL,
        memory_enabled=settings.enable_memory,
        max_message_chars=settings.max_message_chars,
        user_id=g.user_id,
        time_zone=_find_time_zone(),
    )


def _find_time_zone() -> str | None:
    """The user's time zone, as last sent. None also while the database is down."""
    try:
        with transaction() as connection:
            return users.find_time_zone(connection, g.user_id)
    except DatabaseUnavailableError:
        return None


def _find_revision() -> str | None:
    try:
        with transaction() as connection:
            return schema.find_revision(connection)
    except DatabaseUnavailableError:
        return None
