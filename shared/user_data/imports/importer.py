"""Imports a file: one conversation after the other, each in a transaction of its own.

Of our own export the rest comes back, too. It is in an order that needs no second reading:
personas, projects and facts, then the conversations that refer to them, then files for the
messages.
"""

from __future__ import annotations

import itertools
import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain

from shared.access.audit import record
from shared.access.quotas import check_storage
from shared.broker import send_due
from shared.db import enter_memory
from shared.errors import (
    BrokenImportError,
    ThroughlineError,
    UnknownFormError,
    UnreadableConversationError,
)
from shared.models import Due, Thing, UserId
from shared.models.memory_scope import ALL_MEMORIES
from shared.services import Services
from shared.store import imports, users
from shared.store.facts.restored import cap_turns
from shared.store.imports import Import, ImportStatus, Tally
from shared.store.upkeep import imported_conversations as imported
from shared.store.upkeep import imported_files
from shared.user_data.imports.alternation import alternate, count_merged
from shared.user_data.imports.archive import open_parts
from shared.user_data.imports.export_files import (
    add_file,
    import_file_of_export,
    most_json_bytes,
    note_missing,
    place_files,
)
from shared.user_data.imports.facts import import_facts, import_forgotten, link_sources
from shared.user_data.imports.formats import read_conversations
from shared.user_data.imports.json_stream import Item, Readable
from shared.user_data.imports.library import import_personas, import_prompts
from shared.user_data.imports.past_conversation import PastConversation
from shared.user_data.imports.projects import import_projects
from shared.user_data.imports.target import MAX_NOTES, Placed, Target, add_note
from shared.user_data.imports.upload_parts import split_part
from shared.user_data.imports.writer import extend_conversation, write_conversation

logger = logging.getLogger(__name__)

UNKNOWN_MODEL = "Its model “{model}” is not offered here; the site's own answers in its place."
EMPTY = "It holds no message that can be kept."
GROWN = "It is here already. {more} messages that are new were added."
CHANGED = (
    "It is here already, and the file has {more} messages more; they were not added, since it has "
    "gone on here, or its older messages are others."
)


def import_file(
    services: Services, user_id: UserId, source: Readable, *, with_branches: bool = False
) -> Import:
    """Read `source` to its end. Conversations that were imported before are skipped.

    `with_branches`: what other programs no longer show of a conversation comes, too.

    If the file is broken, the import has `failed`, and conversations before the error are kept.
    Other errors (of the connection, of the database) are noted in the import, and raised.

    An archive has arrived as a whole before its import begins. Raises `BrokenImportError` for one
    that cannot be read.
    """
    with open_parts(source, services.settings.import_max_bytes) as parts:
        return _import_parts(services, user_id, parts, with_branches=with_branches)


def _import_parts(
    services: Services, user_id: UserId, parts: Iterable[Readable], *, with_branches: bool
) -> Import:
    with services.database.transaction(user=user_id) as connection:
        users.ensure_user(connection, user_id)
        import_id = imports.start_import(connection, user_id)
        target = Target(user_id=user_id, import_id=import_id, with_branches=with_branches)
        record(connection, "memory.import", user_id, Thing("import", target.import_id))
    try:
        broken = _import_all(services, target, parts)
    except BaseException as exc:
        with suppress(ThroughlineError):
            error = exc.message if isinstance(exc, ThroughlineError) else "The import was cut off."
            _finish(services, target, "failed", error)
        raise
    _finish(services, target, "failed" if broken else "done", broken)
    with services.database.transaction(user=user_id) as connection:
        return imports.get_import(connection, user_id, target.import_id)


def _import_all(services: Services, target: Target, parts: Iterable[Readable]) -> str | None:
    """Returns what is wrong with the file. None: nothing."""
    tally, broken = Tally(), None
    places = itertools.count()
    most = most_json_bytes(services.settings.attachment_max_bytes)
    try:
        for item in chain.from_iterable(split_part(part, most) for part in parts):
            tally = _import_item(services, target, tally, places, item)
        tally = note_missing(target, tally)
        broken = UnknownFormError().message if _is_unknown(tally) else None
    except (BrokenImportError, UnknownFormError) as exc:
        broken = exc.message
    with services.database.transaction(user=target.user_id) as connection:
        users.lock_user(connection, target.user_id)
        enter_memory(connection, ALL_MEMORIES)
        cap_turns(connection, target.user_id)
        imports.save_tally(connection, target.import_id, tally)
    return broken


def _is_unknown(tally: Tally) -> bool:
    """Whether conversations were counted, and none was in a form that is known."""
    if tally.failed == 0 or tally.imported or tally.skipped:
        return False
    return all(note["code"] == UnknownFormError.code for note in tally.notes)


def _import_item(
    services: Services, target: Target, tally: Tally, places: Iterator[int], item: Item
) -> Tally:
    match item.section:
        case "conversations":
            return _import_one(services, target, tally, next(places), item.value)
        case "attachments":
            return import_file_of_export(services, target, tally, item.value)
        case "personas":
            return import_personas(services, target, tally, item.value)
        case "projects":
            return import_projects(services, target, tally, item.value)
        case "prompts":
            return import_prompts(services, target, tally, item.value)
        case "facts":
            return import_facts(services, target, tally, item.value)
        case "forgotten_facts":
            return import_forgotten(services, target, tally, item.value)


def _import_one(
    services: Services, target: Target, tally: Tally, index: int, value: object
) -> Tally:
    """Import one conversation. An unreadable conversation is noted, and no error is raised."""
    try:
        for past in read_conversations(value, with_branches=target.with_branches):
            tally = _import_past(services, target, tally, index, past)
    except UnreadableConversationError as exc:
        return add_note(replace(tally, failed=tally.failed + 1), index, exc.code, exc.message)
    return tally


def _import_past(
    services: Services, target: Target, tally: Tally, index: int, past: PastConversation
) -> Tally:
    """Raises `UnreadableConversationError`."""
    after, due, placed = _write(services, target, tally, index, past)
    send_due(services.broker, due)
    if placed is None:
        return after
    services.short_term.forget(placed.conversation_id)
    after, texts = place_files(target, after, placed)
    for place, text in texts:
        after = add_file(services, target, after, place, text.encode())
    return after


def _write(
    services: Services, target: Target, tally: Tally, index: int, past: PastConversation
) -> tuple[Tally, list[Due], Placed | None]:
    """Commit the conversation and the new tally together. None: it is given no files."""
    rounds = alternate(past, datetime.now(UTC))  # raises if a message is too long
    due: list[Due] = []
    placed = None
    with services.database.transaction(user=target.user_id) as connection:
        known = imported.find_known(connection, target.user_id, past.source_key, past.own_ids)
        result = None
        more = len(rounds) - 1 - known.last_sequence if known else len(rounds)
        if more > 0:
            write = extend_conversation if known else write_conversation
            result = write(connection, target, past, rounds, services.settings)
        if result is None:
            is_chat = not (known and known.is_branch)
            after = replace(tally, skipped=tally.skipped + is_chat)
            after = _note_skipped(after, index, more=more if known else 0, is_empty=not rounds)
        else:
            is_chat = not (known.is_branch if known else result.shared is not None)
            after = _imported(tally, past, more - (result.shared or 0))
            after = replace(after, imported=after.imported + is_chat)
            if known:
                after = add_note(after, index, "grown", GROWN.format(more=more))
            after = _note_model(services, target, after, index, past.model)
            check_storage(connection, target.user_id, services.settings)
            due = result.due
            placed = Placed(
                index=index, conversation_id=result.conversation_id, messages=rounds, files=()
            )
        if known and known.imported_until is not None:  # an import that broke off may lack files
            conversation_id = known.conversation_id
            files = imported_files.list_positions(connection, conversation_id)
            same = rounds if result else rounds[: known.imported_until + 1]
            placed = Placed(
                index=index, conversation_id=conversation_id, messages=same, files=files
            )
        if placed is not None:
            link_sources(connection, target, past, placed)
        imports.save_tally(connection, target.import_id, after)
    return after, due, placed


def _note_model(
    services: Services, target: Target, tally: Tally, index: int, model: str | None
) -> Tally:
    """The name stays with the conversation, in case that it is offered later."""
    unknown = target.places.unknown_models
    offered = services.models.settings().offered_models
    if model is None or model in offered or model in unknown or len(unknown) >= MAX_NOTES:
        return tally
    unknown.add(model)
    return add_note(tally, index, "model", UNKNOWN_MODEL.format(model=model))


def _imported(tally: Tally, past: PastConversation, count: int) -> Tally:
    left_out = Counter(tally.left_out) + Counter(past.left_out)
    if merged := count_merged(past.utterances):
        left_out["merged"] += merged
    return replace(tally, messages=tally.messages + count, left_out=left_out)


def _note_skipped(tally: Tally, index: int, *, more: int, is_empty: bool) -> Tally:
    if is_empty:
        return add_note(tally, index, "empty", EMPTY)
    return add_note(tally, index, "changed", CHANGED.format(more=more)) if more > 0 else tally


def _finish(services: Services, target: Target, status: ImportStatus, error: str | None) -> None:
    logger.info("import.finished", extra={"import_id": target.import_id, "status": status})
    with services.database.transaction(user=target.user_id) as connection:
        imports.finish_import(connection, target.import_id, status, error)
