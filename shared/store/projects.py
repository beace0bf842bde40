"""Table `projects`, and the conversations of a project. Each query checks the owner."""

from __future__ import annotations

from dataclasses import asdict

from shared.db import PgConnection, Row, enter_memory, execute, fetch_row, fetch_rows, prepared
from shared.errors import NameTakenError, NotFoundError
from shared.models import ConversationId, UserId
from shared.models.memory_scope import memory_of
from shared.models.projects import Project, ProjectText
from shared.policy.project_names import find_name, find_same
from shared.store.rows import read_conversation_id

NO_PROJECT = "There is no such project."


def list_projects(connection: PgConnection, user_id: UserId) -> list[Project]:
    """In no order. Facts are counted if the transaction sees all memories."""
    rows = fetch_rows(
        connection,
        """
        SELECT p.*, coalesce(chats.listed, 0) AS count, coalesce(chats.total, 0) AS chat_count,
               coalesce(facts.total, 0) AS fact_count
        FROM projects p
        LEFT JOIN (
            SELECT project, count(DISTINCT chat_id) AS total,
                   count(DISTINCT chat_id) FILTER (WHERE NOT is_archived) AS listed
            FROM conversations WHERE user_id = %(user_id)s AND project IS NOT NULL
            GROUP BY project) AS chats ON chats.project = p.name
        LEFT JOIN (
            SELECT project, count(*) AS total FROM structured_facts
            WHERE user_id = %(user_id)s AND project IS NOT NULL AND is_active
            GROUP BY project) AS facts ON facts.project = p.name
        WHERE p.user_id = %(user_id)s
        """,
        user_id=user_id,
    )
    return [_from_row(row) for row in rows]


def count_projects(connection: PgConnection, user_id: UserId) -> int:
    [row] = fetch_rows(
        connection,
        "SELECT count(*) AS count FROM projects WHERE user_id = %(user_id)s",
        user_id=user_id,
    )
    return int(row["count"])


def spell(connection: PgConnection, user_id: UserId, name: str) -> str:
    """The name as the user's project has it. Raises `NotFoundError`."""
    return get_text(connection, user_id, name).name


def find_text(connection: PgConnection, user_id: UserId, name: str) -> ProjectText | None:
    """Upper and lower case are one. None: there is no such project."""
    if find_name(name) is None:
        return None
    text = _find_exact(connection, user_id, name)
    if text is not None:
        return text
    rows = fetch_rows(
        connection, "SELECT name FROM projects WHERE user_id = %(user_id)s", user_id=user_id
    )
    spelling = find_same(name, [row["name"] for row in rows])
    return _find_exact(connection, user_id, spelling) if spelling is not None else None


def get_text(connection: PgConnection, user_id: UserId, name: str) -> ProjectText:
    """Raises `NotFoundError`. Upper and lower case are one."""
    text = find_text(connection, user_id, name)
    if text is None:
        raise NotFoundError(NO_PROJECT)
    return text


def get_project(connection: PgConnection, user_id: UserId, name: str) -> Project:
    """Upper and lower case are one. Raises `NotFoundError`."""
    projects = {project.text.name: project for project in list_projects(connection, user_id)}
    spelling = find_same(name, projects)
    if spelling is None:
        raise NotFoundError(NO_PROJECT)
    return projects[spelling]


def add_project(connection: PgConnection, user_id: UserId, text: ProjectText) -> None:
    """Raises `NameTakenError`. The caller has locked the user."""
    if find_text(connection, user_id, text.name) is not None:
        raise NameTakenError
    execute(
        connection,
        """
        INSERT INTO projects (user_id, name, instructions, persona_id, model, own_memory)
        VALUES (%(user_id)s, %(name)s, %(instructions)s, %(persona_id)s, %(model)s, %(own_memory)s)
        """,
        user_id=user_id,
        **asdict(text),
    )


def change_project(
    connection: PgConnection, user_id: UserId, before: str, text: ProjectText
) -> None:
    """The caller has locked the user, and knows that no other has the name.

    Its conversations are locked first, since they get the new name: whoever ends a round locks a
    conversation, and looks for its project then.
    """
    execute(
        connection,
        """
        SELECT FROM conversations WHERE user_id = %(user_id)s AND project = %(before)s
        ORDER BY conversation_id FOR NO KEY UPDATE
        """,
        user_id=user_id,
        before=before,
    )
    execute(
        connection,
        """
        UPDATE projects
        SET name = %(name)s, instructions = %(instructions)s, persona_id = %(persona_id)s,
            model = %(model)s, own_memory = %(own_memory)s
        WHERE user_id = %(user_id)s AND name = %(before)s
        """,
        user_id=user_id,
        before=before,
        **asdict(text),
    )


def delete_project(connection: PgConnection, user_id: UserId, name: str) -> None:
    """Delete it with what only its own memory knows. No conversation is in it any more."""
    execute(
        connection,
        "DELETE FROM projects WHERE user_id = %(user_id)s AND name = %(name)s",
        user_id=user_id,
        name=name,
    )


def list_conversations(
    connection: PgConnection, user_id: UserId, name: str
) -> list[ConversationId]:
    """Archived ones, too."""
    rows = fetch_rows(
        connection,
        """
        SELECT conversation_id FROM conversations
        WHERE user_id = %(user_id)s AND project = %(name)s
        """,
        user_id=user_id,
        name=name,
    )
    return [read_conversation_id(row) for row in rows]


def empty_project(connection: PgConnection, user_id: UserId, name: str) -> None:
    """Take all conversations out. `updated_at`, by which lists are sorted, does not change."""
    execute(
        connection,
        """
        UPDATE conversations SET project = NULL, is_notes = false
        WHERE user_id = %(user_id)s AND project = %(name)s
        """,
        user_id=user_id,
        name=name,
    )


def find_memory(connection: PgConnection, conversation_id: ConversationId) -> str | None:
    """The project whose own memory a conversation belongs to. None: the shared memory."""
    row = fetch_row(
        connection,
        prepared("""
        SELECT p.name FROM conversations c
        JOIN projects p ON p.user_id = c.user_id AND p.name = c.project
        WHERE c.conversation_id = %(conversation_id)s AND p.own_memory
        """),
        conversation_id=conversation_id,
    )
    return row["name"] if row else None


def _find_exact(connection: PgConnection, user_id: UserId, name: str) -> ProjectText | None:
    row = fetch_row(
        connection,
        "SELECT * FROM projects WHERE user_id = %(user_id)s AND name = %(name)s",
        user_id=user_id,
        name=name,
    )
    return _read_text(row) if row else None


def list_with_memory(connection: PgConnection, user_id: UserId) -> list[str]:
    """The names of those that have a memory of their own."""
    rows = fetch_rows(
        connection,
        "SELECT name FROM projects WHERE user_id = %(user_id)s AND own_memory ORDER BY name",
        user_id=user_id,
    )
    return [row["name"] for row in rows]


def enter_project(connection: PgConnection, user_id: UserId, name: str) -> None:
    """From now on the transaction sees what a chat of the project may know.

    Raises `NotFoundError`.
    """
    text = get_text(connection, user_id, name)
    enter_memory(connection, memory_of(text.name if text.own_memory else None))


def enter_memory_of(connection: PgConnection, conversation_id: ConversationId) -> None:
    """From now on the transaction sees the memory that the conversation belongs to."""
    enter_memory(connection, memory_of(find_memory(connection, conversation_id)))


def _read_text(row: Row) -> ProjectText:
    return ProjectText(
        name=row["name"],
        instructions=row["instructions"],
        persona_id=row["persona_id"],
        model=row["model"],
        own_memory=row["own_memory"],
    )


def _from_row(row: Row) -> Project:
    return Project(
        text=_read_text(row),
        created_at=row["created_at"],
        count=row["count"],
        chat_count=row["chat_count"],
        fact_count=row["fact_count"],
    )
