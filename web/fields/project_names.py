"""Names of projects in requests."""

from __future__ import annotations

from typing import Annotated

from flask import g
from pydantic import AfterValidator, Field

from shared.models.projects import ProjectText
from shared.policy.project_names import MAX_CHARS, PATTERN, find_name
from shared.store import projects
from web.process.context import transaction


def _read_name(text: str) -> str:
    name = find_name(text)
    if name is None:
        raise ValueError(f"not a name: 1 to {MAX_CHARS} characters of one line, without a slash.")
    return name


ProjectName = Annotated[
    str,
    Field(json_schema_extra={"pattern": PATTERN, "maxLength": MAX_CHARS}, examples=["Work"]),
    AfterValidator(_read_name),
]
#: Empty: none.
ProjectFilter = Annotated[
    str,
    Field(json_schema_extra={"pattern": rf"^$|{PATTERN}", "maxLength": MAX_CHARS}),
    AfterValidator(lambda text: text and _read_name(text)),
]


def find_project(name: str | None) -> ProjectText | None:
    """Raises `NotFoundError` unless the user has it. None: the request names none."""
    if name is None:
        return None
    with transaction() as connection:
        return projects.get_text(connection, g.user_id, name)
