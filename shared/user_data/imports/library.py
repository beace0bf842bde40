"""Personas and prompts of an export. One whose name is taken here stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from shared.access.audit import record
from shared.db import PgConnection
from shared.models import Mode, Thing, UserId
from shared.models.library import (
    MAX_BODY_CHARS,
    MAX_NAME_CHARS,
    PERSONAS,
    PROMPTS,
    Entry,
    PersonaText,
    PromptText,
    Shelf,
    Text,
)
from shared.services import Services
from shared.store import imports, library, users
from shared.store.imports import Tally
from shared.user_data.imports.fields import MAX_ID, read_integer, read_label, read_stripped
from shared.user_data.imports.target import Target, add_note

UNREADABLE = "A {noun} cannot be read, and was left out."
KEPT = "There is a {noun} “{name}” here already. It stays as it is."
FULL = "The {noun} “{name}” was left out: there are {most} already."

Json = dict[str, Any]


def import_personas(services: Services, target: Target, tally: Tally, value: object) -> Tally:
    """A persona whose name is taken here stands for the one of the file, in its conversations.

    Raises `ConflictError` when the user has deleted everything.
    """
    items = _list_items(value, PERSONAS)
    texts = [_read_persona(item) for item in items]
    with services.database.transaction(user=target.user_id) as connection:
        tally, known = _import_entries(connection, target, tally, PERSONAS, texts)
    for item, text in zip(items, texts, strict=True):
        number = read_integer(item.get("persona_id"), MAX_ID)
        if text is not None and text.name in known and number is not None:
            target.places.personas[number] = known[text.name].entry_id
    return tally


def import_prompts(services: Services, target: Target, tally: Tally, value: object) -> Tally:
    """Raises `ConflictError` when the user has deleted everything."""
    texts = [_read_prompt(item) for item in _list_items(value, PROMPTS)]
    with services.database.transaction(user=target.user_id) as connection:
        tally, _ = _import_entries(connection, target, tally, PROMPTS, texts)
    return tally


def _list_items(value: object, shelf: Shelf[Any]) -> list[Json]:
    """The first ones are enough: a file may list any number, and most would be left out."""
    items = value if isinstance(value, list) else []
    return [item if isinstance(item, dict) else {} for item in items[: shelf.most * 2]]


def _import_entries(
    connection: PgConnection,
    target: Target,
    tally: Tally,
    shelf: Shelf[Text],
    texts: Sequence[Text | None],
) -> tuple[Tally, dict[str, Entry[Text]]]:
    """Add the texts whose names are free. Returns what the user has afterwards, by name."""
    users.lock_user(connection, target.user_id)
    imports.lock_import(connection, target.import_id)
    entries = library.list_entries(connection, target.user_id, shelf)
    known = {entry.text.name: entry for entry in entries}
    for text in texts:
        if text is None:
            tally = _note(tally, shelf, UNREADABLE)
        elif text.name in known:
            if known[text.name].text.body != text.body:
                tally = _note(tally, shelf, KEPT, text.name)
        elif len(known) >= shelf.most:
            tally = _note(tally, shelf, FULL, text.name)
        else:
            known[text.name] = _add(connection, target.user_id, shelf, text)
    imports.save_tally(connection, target.import_id, tally)
    return tally, known


def _add(connection: PgConnection, user_id: UserId, shelf: Shelf[Text], text: Text) -> Entry[Text]:
    entry = library.add_entry(connection, user_id, shelf, text)
    record(connection, shelf.creation, user_id, Thing(shelf.noun, str(entry.entry_id)))
    return entry


def _note(tally: Tally, shelf: Shelf[Any], message: str, name: str = "") -> Tally:
    text = message.format(noun=shelf.noun, name=name, most=shelf.most)
    return add_note(tally, None, shelf.noun, text)


def _read_persona(item: Json) -> PersonaText | None:
    name, instructions = (read_stripped(item.get(key)) for key in ("name", "instructions"))
    mode: Mode | None = next(
        (choice for choice in get_args(Mode) if choice == item.get("mode")), None
    )
    if not _is_sized(name, instructions) or mode is None:
        return None
    return PersonaText(
        name=name, instructions=instructions, model=read_label(item.get("model")), mode=mode
    )


def _read_prompt(item: Json) -> PromptText | None:
    name, text = (read_stripped(item.get(key)) for key in ("name", "text"))
    return PromptText(name=name, text=text) if _is_sized(name, text) else None


def _is_sized(name: str, body: str) -> bool:
    return 0 < len(name) <= MAX_NAME_CHARS and 0 < len(body) <= MAX_BODY_CHARS
