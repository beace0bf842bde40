"""Personas of an export. One whose name is taken here stands for the one of the file."""

from __future__ import annotations

from typing import Any, get_args

from shared.access.audit import record
from shared.db import PgConnection
from shared.models import Mode, Thing
from shared.models.personas import (
    MAX_INSTRUCTIONS_CHARS,
    MAX_NAME_CHARS,
    MAX_PERSONAS,
    Persona,
    PersonaText,
)
from shared.services import Services
from shared.store import imports, personas, users
from shared.store.imports import Tally
from shared.user_data.imports.fields import MAX_ID, read_integer, read_label, read_stripped
from shared.user_data.imports.target import Target, add_note

CODE = "persona"
UNREADABLE = "A persona cannot be read, and was left out."
KEPT = "There is a persona “{name}” here already. It stays as it is."
FULL = "The persona “{name}” was left out: there are {most} already."


def import_personas(services: Services, target: Target, tally: Tally, value: object) -> Tally:
    """Raises `ConflictError` when the user has deleted everything."""
    listed = value if isinstance(value, list) else []
    with services.database.transaction(user=target.user_id) as connection:
        users.lock_user(connection, target.user_id)
        imports.lock_import(connection, target.import_id)
        known = {
            persona.text.name: persona
            for persona in personas.list_personas(connection, target.user_id)
        }
        for item in listed[: MAX_PERSONAS * 2]:
            tally = _import_one(connection, target, tally, known, item)
        imports.save_tally(connection, target.import_id, tally)
    return tally


def _import_one(
    connection: PgConnection,
    target: Target,
    tally: Tally,
    known: dict[str, Persona],
    value: object,
) -> Tally:
    """`known`: the user's personas by name, with the new one afterwards."""
    item = value if isinstance(value, dict) else {}
    text = _read(item)
    if text is None:
        return add_note(tally, None, CODE, UNREADABLE)
    if text.name not in known and len(known) >= MAX_PERSONAS:
        return add_note(tally, None, CODE, FULL.format(name=text.name, most=MAX_PERSONAS))
    if text.name not in known:
        persona = personas.add_persona(connection, target.user_id, text)
        record(
            connection, "persona.create", target.user_id, Thing("persona", str(persona.persona_id))
        )
        known[text.name] = persona
    elif known[text.name].text.instructions != text.instructions:
        tally = add_note(tally, None, CODE, KEPT.format(name=text.name))
    number = read_integer(item.get("persona_id"), MAX_ID)
    if number is not None:
        target.places.personas[number] = known[text.name].persona_id
    return tally


def _read(value: dict[str, Any]) -> PersonaText | None:
    name, instructions = (read_stripped(value.get(key)) for key in ("name", "instructions"))
    mode: Mode | None = next(
        (choice for choice in get_args(Mode) if choice == value.get("mode")), None
    )
    is_readable = 0 < len(name) <= MAX_NAME_CHARS
    if not is_readable or not 0 < len(instructions) <= MAX_INSTRUCTIONS_CHARS or mode is None:
        return None
    return PersonaText(
        name=name, instructions=instructions, model=read_label(value.get("model")), mode=mode
    )
