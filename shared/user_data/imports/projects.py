"""Projects of an export. What was kept inside one stays inside one.

A project of the same name that is here already takes the chats of the file, if its memory is of the
same kind; else they come into a new one, of another name.
"""

from __future__ import annotations

import itertools
from typing import Any

from shared.access.audit import record
from shared.db import PgConnection
from shared.errors import BrokenImportError, UnreadableConversationError
from shared.models.projects import MAX_INSTRUCTIONS_CHARS, MAX_PROJECTS, ProjectText
from shared.policy.project_names import MAX_CHARS, find_name, find_same
from shared.services import Services
from shared.store import imports, projects, users
from shared.store.imports import Tally
from shared.user_data.imports.fields import MAX_ID, read_integer, read_label, read_stripped
from shared.user_data.imports.target import Target

UNREADABLE = "The projects of the file cannot be read."
TWICE = "The file has a project twice: once with a memory of its own, and once without."
MISSING = "Its project “{name}” is not in the file."
FULL = f"You would have more than {MAX_PROJECTS} projects. Delete some first."


def import_projects(services: Services, target: Target, tally: Tally, value: object) -> Tally:
    """Raises `ConflictError` when the user has deleted everything.

    Raises `BrokenImportError` for a project that cannot be read, that comes twice with different
    memories, or that is one too many: its chats might be kept inside.
    """
    if not isinstance(value, list):
        raise BrokenImportError(UNREADABLE)
    with services.database.transaction(user=target.user_id) as connection:
        users.lock_user(connection, target.user_id)
        imports.lock_import(connection, target.import_id)
        for item in value:
            text = _read(target, item if isinstance(item, dict) else {})
            place = find_place(target, text.name)
            if place is None:
                target.places.projects[text.name] = _place(connection, target, text)
            elif not _is_like(projects.find_text(connection, target.user_id, place), text):
                raise BrokenImportError(TWICE)
        imports.save_tally(connection, target.import_id, tally)
    return tally


def place_project(connection: PgConnection, target: Target, name: str | None) -> str | None:
    """The project here for a conversation of the file. None: in none, or there are too many.

    The caller has locked the user. Raises `UnreadableConversationError` for a project that an
    export of ours does not have: its chats may have been kept inside.
    """
    place = find_place(target, name) if name else None
    if name is None or place is not None:
        return place
    if target.is_own:
        raise UnreadableConversationError(MISSING.format(name=name))
    text = projects.find_text(connection, target.user_id, name)
    if text is not None:
        return text.name
    if projects.count_projects(connection, target.user_id) >= MAX_PROJECTS:
        return None
    return _add(connection, target, ProjectText(name=name))


def find_place(target: Target, name: str) -> str | None:
    """The project here for one of the file. None: the file has none of this name."""
    spelling = find_same(name, target.places.projects)
    return target.places.projects[spelling] if spelling is not None else None


def _is_like(present: ProjectText | None, text: ProjectText) -> bool:
    return present is not None and present.own_memory == text.own_memory


def _place(connection: PgConnection, target: Target, text: ProjectText) -> str:
    present = projects.find_text(connection, target.user_id, text.name)
    if present is None:
        return _add(connection, target, text)
    if _is_like(present, text):
        return present.name
    for number in itertools.count(2):
        end = f" {number}"
        name = text.name[: MAX_CHARS - len(end)] + end
        present = projects.find_text(connection, target.user_id, name)
        if present is None:
            return _add(connection, target, ProjectText(name=name, own_memory=text.own_memory))
        if _is_like(present, text):
            return present.name
    raise AssertionError  # there is a number for each


def _add(connection: PgConnection, target: Target, text: ProjectText) -> str:
    if projects.count_projects(connection, target.user_id) >= MAX_PROJECTS:
        raise BrokenImportError(FULL)
    projects.add_project(connection, target.user_id, text)
    record(connection, "project.create", target.user_id)
    return text.name


def _read(target: Target, item: dict[str, Any]) -> ProjectText:
    name = find_name(read_label(item.get("name")) or "")
    own_memory = item.get("own_memory") or False
    if name is None or not isinstance(own_memory, bool):
        raise BrokenImportError(UNREADABLE)
    persona = read_integer(item.get("persona_id"), MAX_ID)
    return ProjectText(
        name=name,
        instructions=read_stripped(item.get("instructions"))[:MAX_INSTRUCTIONS_CHARS],
        persona_id=target.places.personas.get(persona) if persona is not None else None,
        model=read_label(item.get("model")),
        own_memory=own_memory,
    )
