"""Folders: names under which the user keeps conversations. Each is as long as one is in it."""

from __future__ import annotations

from flask import Blueprint, g

from shared.access.audit import record
from shared.db import PgConnection
from shared.errors import NameTakenError, NotFoundError
from shared.events.announcements import announce_change
from shared.models import ConversationId
from shared.policy.folders import find_same
from shared.store import folders, users
from shared.store.folders import Folder
from web.api.answers import Answer, Page
from web.api.cursors import cut_page
from web.api.operation import operation
from web.fields.folder_names import FolderName
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.forms import StrictForm
from web.requests.queries import Listing

blueprint = Blueprint("folders", __name__, url_prefix="/folders")

FOLDER = "/<string:folder>"


class RenameForm(StrictForm):
    name: FolderName


class FolderAnswer(Answer):
    name: str
    count: int


class FolderPage(Page):
    folders: list[FolderAnswer]


@blueprint.get("")
@needs("memory:read")
@operation()
def list_folders(query: Listing) -> FolderPage:
    """List the folders by name. `count` leaves out archived conversations."""
    with transaction() as connection:
        entries = folders.list_folders(connection, g.user_id)
    page, after = cut_page(sorted(entries, key=_order), query, _order)
    return FolderPage(folders=[_answer(entry) for entry in page], next_cursor=after)


@blueprint.patch(FOLDER)
@needs("memory:read", "memory:write")
@operation(raises=(NameTakenError,))
def rename_folder(folder: str, form: RenameForm) -> FolderAnswer:
    """Rename a folder. Its conversations stay in it, archived ones as well."""
    with transaction() as connection:
        before = _lock(connection, folder)
        others = [
            entry for entry in folders.list_folders(connection, g.user_id) if entry.name != before
        ]
        if find_same(form.name, [entry.name for entry in others]):
            raise NameTakenError
        moved = _move(connection, before, form.name)
        record(connection, "folder.change", g.user_id)
        [after] = [
            entry
            for entry in folders.list_folders(connection, g.user_id)
            if entry.name == form.name
        ]
    _announce(moved)
    return _answer(after)


@blueprint.delete(FOLDER)
@needs("memory:write")
@operation(204)
def delete_folder(folder: str) -> None:
    """Delete a folder. Its conversations stay, and are in none any more."""
    with transaction() as connection:
        moved = _move(connection, _lock(connection, folder), None)
        record(connection, "folder.delete", g.user_id)
    _announce(moved)


def _lock(connection: PgConnection, name: str) -> str:
    """Keep conversations from entering folders until commit. Returns the name as it is spelt."""
    users.lock_user(connection, g.user_id)
    return folders.get_name(connection, g.user_id, name)


def _move(connection: PgConnection, name: str, target: str | None) -> list[ConversationId]:
    """Raises `NotFoundError`: what was in the folder was deleted meanwhile, and it is no more."""
    moved = folders.move_all(connection, g.user_id, name, target)
    if not moved:
        raise NotFoundError(folders.NO_FOLDER)
    return moved


def _announce(moved: list[ConversationId]) -> None:
    """One event for all: who follows reads lists anew, and a folder may have thousands."""
    announce_change(web_context().services, g.user_id, moved[0])


def _order(folder: Folder) -> tuple[str, str]:
    return folder.name.casefold(), folder.name


def _answer(folder: Folder) -> FolderAnswer:
    return FolderAnswer(name=folder.name, count=folder.count)
