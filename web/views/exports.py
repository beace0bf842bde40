"""Everything about the user, as a file."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from datetime import UTC, datetime

from flask import Blueprint, Response, g

from shared.user_data.export import export_user
from web.context import web_context

blueprint = Blueprint("exports", __name__, url_prefix="/api")


@blueprint.get("/export")
def export() -> Response:
    """Streamed. A fault on the way breaks the document off, so that it cannot pass for whole."""
    now = datetime.now(UTC)
    blocks = _blocks(now)
    first = next(blocks)  # while a fault can still be answered with an error
    response = Response(_resume(first, blocks), mimetype="application/json")
    response.call_on_close(blocks.close)
    response.headers["Content-Disposition"] = (
        f'attachment; filename="throughline-{now:%Y-%m-%d}.json"'
    )
    return response


def _blocks(now: datetime) -> Generator[str, None, None]:
    with web_context().limits.exports.slot(g.user_id):
        yield from export_user(web_context().services.database, g.user_id, now)


def _resume(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest
