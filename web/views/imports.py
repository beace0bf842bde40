"""Imports of past conversations: the upload, and the progress of each import."""

from __future__ import annotations

from typing import IO
from uuid import UUID

from flask import Blueprint, Response, g, jsonify, request
from werkzeug.exceptions import BadRequest

from shared.errors import BrokenImportError, InvalidRequestError
from shared.store import imports
from shared.store.imports import Import
from shared.user_data.imports.importer import import_file
from web.callers import needs
from web.context import transaction, web_context
from web.errors import error_response
from web.forms import read_limit

blueprint = Blueprint("imports", __name__, url_prefix="/api")


class Upload:
    """The file as it arrives. If it breaks off, what was imported before is kept."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def read(self, size: int = -1, /) -> bytes:
        try:
            return self._stream.read(size)
        except BadRequest as exc:
            raise BrokenImportError(exc.description) from exc


@blueprint.post("/import")
@needs("memory:write")
def import_conversations() -> Response:
    """The body is the file. A broken file answers 400, with what was imported before the break."""
    services = web_context().services
    if request.mimetype != "application/json":
        raise InvalidRequestError("Send the file itself, with Content-Type: application/json.")
    request.max_content_length = services.settings.import_max_bytes
    with web_context().limits.imports.slot(g.user_id):
        made = import_file(services, g.user_id, Upload(request.stream))
    if made.status == "failed":
        return error_response(
            BrokenImportError.http_status,
            BrokenImportError.code,
            made.error or "",
            **{"import": import_json(made)},
        )
    return jsonify(import_json(made))


@blueprint.get("/imports")
@needs("memory:read")
def list_imports() -> Response:
    """Newest first."""
    limit = read_limit(request, default=20, most=100)
    with transaction() as connection:
        found = imports.list_imports(connection, g.user_id, limit)
    return jsonify(imports=[import_json(one) for one in found])


@blueprint.get("/imports/<uuid:import_id>")
@needs("memory:read")
def show_import(import_id: UUID) -> Response:
    with transaction() as connection:
        found = imports.get_import(connection, g.user_id, str(import_id))
    return jsonify(import_json(found))


def import_json(made: Import) -> dict[str, object]:
    """`tiers`: how many of the imported messages each kind of derived memory covers by now."""
    tally = made.tally
    return {
        "import_id": made.import_id,
        "status": made.status,
        "conversations": {
            "imported": tally.imported,
            "skipped": tally.skipped,
            "failed": tally.failed,
        },
        "messages": tally.messages,
        "left_out": dict(tally.left_out),
        "errors": [dict(note) for note in tally.notes],
        "error": made.error,
        "tiers": {
            kind: {"covered": tier.covered, "total": tier.total}
            for kind, tier in made.tiers.items()
        },
        "jobs": made.jobs,
        "created_at": made.created_at.isoformat(),
        "finished_at": made.finished_at.isoformat() if made.finished_at else None,
    }
