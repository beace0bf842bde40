"""Prompts of an export. One whose name is taken here stays as it is."""

from __future__ import annotations

from shared.access.audit import record
from shared.db import PgConnection
from shared.models import Thing
from shared.models.prompts import MAX_NAME_CHARS, MAX_PROMPTS, MAX_TEXT_CHARS, PromptText
from shared.services import Services
from shared.store import imports, prompts, users
from shared.store.imports import Tally
from shared.user_data.imports.fields import read_stripped
from shared.user_data.imports.target import Target, add_note

CODE = "prompt"
UNREADABLE = "A prompt cannot be read, and was left out."
KEPT = "There is a prompt “{name}” here already. It stays as it is."
FULL = "The prompt “{name}” was left out: there are {most} already."


def import_prompts(services: Services, target: Target, tally: Tally, value: object) -> Tally:
    """Raises `ConflictError` when the user has deleted everything."""
    listed = value if isinstance(value, list) else []
    with services.database.transaction(user=target.user_id) as connection:
        users.lock_user(connection, target.user_id)
        imports.lock_import(connection, target.import_id)
        user_prompts = prompts.list_prompts(connection, target.user_id)
        known = {prompt.text.name: prompt.text.text for prompt in user_prompts}
        for item in listed[: MAX_PROMPTS * 2]:
            tally = _import_one(connection, target, tally, known, _read(item))
        imports.save_tally(connection, target.import_id, tally)
    return tally


def _import_one(
    connection: PgConnection,
    target: Target,
    tally: Tally,
    known: dict[str, str],
    prompt: PromptText | None,
) -> Tally:
    """`known`: the texts of the user's prompts by name, with the new one afterwards."""
    if prompt is None:
        return add_note(tally, None, CODE, UNREADABLE)
    if prompt.name in known:
        is_same = known[prompt.name] == prompt.text
        return tally if is_same else add_note(tally, None, CODE, KEPT.format(name=prompt.name))
    if len(known) >= MAX_PROMPTS:
        return add_note(tally, None, CODE, FULL.format(name=prompt.name, most=MAX_PROMPTS))
    new_prompt = prompts.add_prompt(connection, target.user_id, prompt)
    record(connection, "prompt.create", target.user_id, Thing("prompt", str(new_prompt.prompt_id)))
    known[prompt.name] = prompt.text
    return tally


def _read(value: object) -> PromptText | None:
    item = value if isinstance(value, dict) else {}
    name, text = (read_stripped(item.get(key)) for key in ("name", "text"))
    if not 0 < len(name) <= MAX_NAME_CHARS or not 0 < len(text) <= MAX_TEXT_CHARS:
        return None
    return PromptText(name=name, text=text)
