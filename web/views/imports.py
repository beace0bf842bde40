"""Imports of past conversations: the upload, and the progress of each import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import IO, Any
from uuid import UUID

from flask import Blueprint, Response, g, jsonify, request
from pydantic import Field, RootModel
from werkzeug.exceptions import BadRequest

from shared.errors import BrokenImportError, InvalidRequestError
from shared.models import Kind
from shared.store import imports
from shared.store.imports import Import, ImportStatus
from shared.user_data.imports.importer import import_file
from web.api.answers import Answer, Instant, Page
from web.api.cursors import next_cursor, read_cursor
from web.api.idempotency import answer_once
from web.api.operation import KEY_ERRORS, operation
from web.errors import error_response
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.queries import Flag, Listing, Query

TYPES = ("application/json", "application/zip", "text/markdown")

blueprint = Blueprint("imports", __name__)


class ImportsQuery(Listing):
    DEFAULT = 20


class ImportQuery(Query):
    with_branches: Flag = Field(
        default=False,
        description="What another program no longer shows comes, too: replies that were written "
        "again as variants, edited messages as branches. Else it is counted in `left_out`.",
    )


class ImportFile(RootModel[list[Any] | dict[str, Any]]):
    """Our own export, or one of ChatGPT, Claude, Gemini, Open WebUI or LibreChat."""


class ConversationCounts(Answer):
    imported: int
    skipped: int = Field(description="They were imported before.")
    failed: int


class TierAnswer(Answer):
    """How many of the imported messages one kind of derived memory covers by now."""

    covered: int
    total: int


class FailedJobAnswer(Answer):
    """A failed job, which may be run again."""

    conversation_id: str
    kind: Kind


class ImportAnswer(Answer):
    """The report on an imported file."""

    import_id: str
    status: ImportStatus
    conversations: ConversationCounts
    messages: int
    left_out: Mapping[str, int] = Field(description="What was left out of messages, by reason.")
    errors: list[Mapping[str, Any]] = Field(
        description="Notes on conversations, by `index` in the file; null: on something else."
    )
    error: str | None
    tiers: Mapping[str, TierAnswer]
    jobs: int = Field(description="Jobs that wait or run.")
    failed_jobs: list[FailedJobAnswer] = Field(
        description="The newest jobs of their kinds, where they failed; 100 at most."
    )
    created_at: Instant
    finished_at: Instant | None


class ImportPage(Page):
    imports: list[ImportAnswer]


class Upload:
    """The file as it arrives. If it breaks off, nothing of it is imported."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def read(self, size: int = -1, /) -> bytes:
        try:
            return self._stream.read(size)
        except BadRequest as exc:
            raise BrokenImportError(exc.description) from exc


@blueprint.post("/imports")
@needs("memory:write")
@operation(raw_body=ImportFile, answer=ImportAnswer, takes_key=True, raises=KEY_ERRORS)
def import_conversations(query: ImportQuery) -> Response:
    """Import past conversations. The body is the file.

    It may be a zip archive with the JSON in it, or one chat of ours as Markdown. The order of keys
    makes no difference. Of a broken or unknown file nothing is imported; it answers 400, with the
    failed `import`.
    """
    if request.mimetype not in TYPES:
        raise InvalidRequestError("Send the file itself, with Content-Type: application/json.")
    request.max_content_length = web_context().services.settings.import_max_bytes
    return answer_once(lambda: _import(with_branches=query.with_branches))


def _import(*, with_branches: bool) -> Response:
    services = web_context().services
    with web_context().limits.imports.slot(g.user_id):
        chat_import = import_file(
            services, g.user_id, Upload(request.stream), with_branches=with_branches
        )
    if chat_import.status == "failed":
        return error_response(
            BrokenImportError.http_status,
            BrokenImportError.code,
            chat_import.error or "",
            **{"import": import_answer(chat_import).as_json()},
        )
    return jsonify(import_answer(chat_import).as_json())


@blueprint.get("/imports")
@needs("memory:read")
@operation()
def list_imports(query: ImportsQuery) -> ImportPage:
    """List imports, newest first."""
    place = read_cursor(query)
    before = (datetime.fromisoformat(place[0]), str(place[1])) if place else None
    with transaction() as connection:
        entries = imports.list_imports(connection, g.user_id, query.size + 1, before)
    return ImportPage(
        imports=[import_answer(chat_import) for chat_import in entries[: query.size]],
        next_cursor=next_cursor(
            entries,
            query,
            lambda chat_import: (chat_import.created_at.isoformat(), chat_import.import_id),
        ),
    )


@blueprint.get("/imports/<uuid:import_id>")
@needs("memory:read")
@operation()
def show_import(import_id: UUID) -> ImportAnswer:
    """Show how far an import is."""
    with transaction() as connection:
        chat_import = imports.get_import(connection, g.user_id, str(import_id))
    return import_answer(chat_import)


def import_answer(chat_import: Import) -> ImportAnswer:
    tally = chat_import.tally
    return ImportAnswer(
        import_id=chat_import.import_id,
        status=chat_import.status,
        conversations=ConversationCounts(
            imported=tally.imported, skipped=tally.skipped, failed=tally.failed
        ),
        messages=tally.messages,
        left_out=dict(tally.left_out),
        errors=[dict(note) for note in tally.notes],
        error=chat_import.error,
        tiers={kind: TierAnswer(**asdict(tier)) for kind, tier in chat_import.tiers.items()},
        jobs=chat_import.jobs,
        failed_jobs=[FailedJobAnswer(**job._asdict()) for job in chat_import.failed_jobs],
        created_at=chat_import.created_at,
        finished_at=chat_import.finished_at,
    )
