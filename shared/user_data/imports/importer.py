"""Imports a file: one conversation after the other, each in a transaction of its own."""

from __future__ import annotations

import logging
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from shared.access.audit import record
from shared.access.quotas import check_storage
from shared.broker import send_due
from shared.errors import BrokenImportError, ThroughlineError, UnreadableConversationError
from shared.models import Due, Thing, UserId
from shared.services import Services
from shared.store import imports, users
from shared.store.imports import Import, ImportStatus, Tally
from shared.store.upkeep import imported_conversations as imported
from shared.user_data.imports.alternation import alternate, count_merged
from shared.user_data.imports.formats import read_conversation
from shared.user_data.imports.json_stream import Readable, split_conversations
from shared.user_data.imports.past_conversation import PastConversation
from shared.user_data.imports.writer import Target, write_conversation

logger = logging.getLogger(__name__)

MAX_NOTES = 50
EMPTY = "It holds no message that can be kept."
GROWN = "It is here already, and the file has {more} messages more; they were not added."


def import_file(services: Services, user_id: UserId, source: Readable) -> Import:
    """Read `source` to its end. Conversations that were imported before are skipped.

    If the file is broken, the import has `failed`, and conversations before the error are kept.
    Other errors (of the connection, of the database) are noted in the import, and raised.
    """
    with services.database.transaction(user=user_id) as connection:
        users.ensure_user(connection, user_id)
        target = Target(user_id=user_id, import_id=imports.start_import(connection, user_id))
        record(connection, "memory.import", user_id, Thing("import", target.import_id))
    try:
        broken = _import_all(services, target, source)
    except BaseException as exc:
        with suppress(ThroughlineError):
            error = exc.message if isinstance(exc, ThroughlineError) else "The import was cut off."
            _finish(services, target, "failed", error)
        raise
    _finish(services, target, "failed" if broken else "done", broken)
    with services.database.transaction(user=user_id) as connection:
        return imports.get_import(connection, user_id, target.import_id)


def _import_all(services: Services, target: Target, source: Readable) -> str | None:
    """Returns what is wrong with the file. None: nothing."""
    tally, broken = Tally(), None
    try:
        for index, value in enumerate(split_conversations(source)):
            tally = _import_one(services, target, tally, index, value)
    except BrokenImportError as exc:
        broken = exc.message
    with services.database.transaction(user=target.user_id) as connection:
        imports.save_tally(connection, target.import_id, tally)
    return broken


def _import_one(
    services: Services, target: Target, tally: Tally, index: int, value: object
) -> Tally:
    """Import one conversation. An unreadable conversation is noted, and no error is raised."""
    try:
        after, due = _write(services, target, tally, index, read_conversation(value))
    except UnreadableConversationError as exc:
        return _noted(replace(tally, failed=tally.failed + 1), index, exc.code, exc.message)
    send_due(services.broker, due)
    return after


def _write(
    services: Services, target: Target, tally: Tally, index: int, past: PastConversation
) -> tuple[Tally, list[Due]]:
    """Commit the conversation and the new tally together."""
    rounds = alternate(past, datetime.now(UTC))  # raises if a message is too long
    with services.database.transaction(user=target.user_id) as connection:
        known = imported.find_known(connection, target.user_id, past.source_key, past.own_ids)
        due = None
        if known is None and rounds:
            due = write_conversation(connection, target, past, rounds, services.settings)
        if due is None:
            more = len(rounds) - 1 - known if known is not None else 0
            after = _skipped(tally, index, more=more, is_empty=not rounds)
        else:
            after = _imported(tally, past, len(rounds))
            check_storage(connection, target.user_id, services.settings)
        imports.save_tally(connection, target.import_id, after)
    return after, due or []


def _imported(tally: Tally, past: PastConversation, count: int) -> Tally:
    left_out = Counter(tally.left_out) + Counter(past.left_out)
    if merged := count_merged(past.utterances):
        left_out["merged"] += merged
    return replace(
        tally,
        imported=tally.imported + 1,
        messages=tally.messages + count,
        left_out=left_out,
    )


def _skipped(tally: Tally, index: int, *, more: int, is_empty: bool) -> Tally:
    after = replace(tally, skipped=tally.skipped + 1)
    if is_empty:
        return _noted(after, index, "empty", EMPTY)
    return _noted(after, index, "grown", GROWN.format(more=more)) if more > 0 else after


def _noted(tally: Tally, index: int, code: str, message: str) -> Tally:
    """`index` is the conversation's position in the file, from 0."""
    note = {"index": index, "code": code, "message": message}
    return replace(tally, notes=(*tally.notes, note)[:MAX_NOTES])


def _finish(services: Services, target: Target, status: ImportStatus, error: str | None) -> None:
    logger.info("import.finished", extra={"import_id": target.import_id, "status": status})
    with services.database.transaction(user=target.user_id) as connection:
        imports.finish_import(connection, target.import_id, status, error)
