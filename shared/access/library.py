"""Personas and prompts: added, changed and deleted, as the audit log notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from shared.access.audit import record
from shared.db import PgConnection
from shared.errors import ConflictError, NameTakenError
from shared.models import Thing, UserId
from shared.models.library import Entry, Shelf, Text
from shared.store import library, users


def add_entry(
    connection: PgConnection, user_id: UserId, shelf: Shelf[Text], text: Text
) -> Entry[Text]:
    """Raises `NameTakenError`, and `ConflictError` where the user has as many as may be."""
    users.ensure_user(connection, user_id)
    users.lock_user(connection, user_id)
    if len(library.list_entries(connection, user_id, shelf)) >= shelf.most:
        raise ConflictError(f"You have {shelf.most} {shelf.table} already. Delete one first.")
    entry = library.add_entry(connection, user_id, shelf, text)
    record(connection, shelf.creation, user_id, Thing(shelf.noun, str(entry.entry_id)))
    return entry


def change_entry(
    connection: PgConnection,
    user_id: UserId,
    shelf: Shelf[Text],
    entry_id: int,
    changes: Mapping[str, Any],
) -> Entry[Text]:
    """Give fields of the text other values. Raises `NotFoundError` and `NameTakenError`."""
    users.lock_user(connection, user_id)
    before = library.get_entry(connection, user_id, shelf, entry_id)
    text = replace(before.text, **changes)
    others = library.list_entries(connection, user_id, shelf)
    if any(other.text.name == text.name and other.entry_id != entry_id for other in others):
        raise NameTakenError
    changed = library.change_entry(connection, user_id, shelf, entry_id, text)
    record(connection, shelf.change, user_id, Thing(shelf.noun, str(entry_id)))
    return changed


def delete_entry(
    connection: PgConnection, user_id: UserId, shelf: Shelf[Text], entry_id: int
) -> None:
    """Raises `NotFoundError`."""
    library.delete_entry(connection, user_id, shelf, entry_id)
    record(connection, shelf.deletion, user_id, Thing(shelf.noun, str(entry_id)))
