"""The memory that a request is about: that of the project which its field `project` names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flask import g
from pydantic import Field

from shared.db import PgConnection
from shared.models.memory_scope import MemoryScope, memory_of
from shared.store import projects
from web.fields.project_names import ProjectName
from web.process.context import transaction
from web.requests.queries import Query

ABOUT_PROJECT = (
    "As a chat of this project: what is in its own memory, if it has one. "
    "Without it: what is in no project's own memory."
)


class MemoryQuery(Query):
    """An argument of lists and searches."""

    project: ProjectName | None = Field(default=None, description=ABOUT_PROJECT)


def find_memory(connection: PgConnection, project: str | None) -> MemoryScope:
    """What a chat of the project may know. Raises `NotFoundError`."""
    if project is None:
        return memory_of(None)
    text = projects.get_text(connection, g.user_id, project)
    return memory_of(text.name if text.own_memory else None)


@contextmanager
def memory_transaction(project: str | None) -> Iterator[PgConnection]:
    """Begin a transaction for the user of the request, in the memory of the project."""
    with transaction() as connection:
        if project is not None:
            projects.enter_project(connection, g.user_id, project)
        yield connection
