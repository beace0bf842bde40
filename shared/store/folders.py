"""Table `conversations`, by folder. A folder is a name that some conversations of a user have."""

from __future__ import annotations

from dataclasses import dataclass

from shared.db import PgConnection, fetch_row, fetch_rows
from shared.errors import NotFoundError
from shared.models import ConversationId, UserId
from shared.policy.folders import find_same
from shared.store.rows import read_conversation_id

NO_FOLDER = "There is no such folder."


@dataclass(frozen=True, kw_only=True)
class Folder:
    name: str
    #: Of its conversations that are not archived.
    count: int


def list_folders(connection: PgConnection, user_id: UserId) -> list[Folder]:
    """Also those whose conversations are all archived."""
    rows = fetch_rows(
        connection,
        """
        SELECT folder, count(DISTINCT chat_id) FILTER (WHERE NOT is_archived) AS count
        FROM conversations
        WHERE user_id = %(user_id)s AND folder IS NOT NULL
        GROUP BY folder
        """,
        user_id=user_id,
    )
    return [Folder(name=row["folder"], count=row["count"]) for row in rows]


def spell(connection: PgConnection, user_id: UserId, name: str | None) -> str | None:
    """The name as the user's folder has it, if there is one; else as it is.

    Before a conversation is put there, the caller has locked the user: so no two spellings of one
    name are stored.
    """
    if not name or _exists(connection, user_id, name):
        return name
    names = [folder.name for folder in list_folders(connection, user_id)]
    return find_same(name, names) or name


def _exists(connection: PgConnection, user_id: UserId, name: str) -> bool:
    """Quick by an index, however many conversations the user has."""
    row = fetch_row(
        connection,
        """
        SELECT EXISTS (SELECT FROM conversations
                       WHERE user_id = %(user_id)s AND folder = %(name)s) AS is_there
        """,
        user_id=user_id,
        name=name,
    )
    return bool(row and row["is_there"])


def get_name(connection: PgConnection, user_id: UserId, name: str) -> str:
    """The name of the user's folder as it is spelt. Raises `NotFoundError`."""
    names = [folder.name for folder in list_folders(connection, user_id)]
    spelling = find_same(name, names)
    if spelling is None:
        raise NotFoundError(NO_FOLDER)
    return spelling


def move_all(
    connection: PgConnection, user_id: UserId, name: str, target: str | None
) -> list[ConversationId]:
    """Let all conversations of a folder be in another, or (None) in none. Returns which they are.

    `updated_at`, by which lists are sorted, does not change.
    """
    rows = fetch_rows(
        connection,
        """
        UPDATE conversations SET folder = %(target)s
        WHERE user_id = %(user_id)s AND folder = %(name)s
        RETURNING conversation_id
        """,
        user_id=user_id,
        name=name,
        target=target,
    )
    return [read_conversation_id(row) for row in rows]
