"""Projects: conversations that belong together, with what all of them begin with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

MAX_PROJECTS = 500  # of one user
MAX_INSTRUCTIONS_CHARS = 8_000


@dataclass(frozen=True, kw_only=True)
class ProjectText:
    """What its user writes and chooses."""

    name: str
    #: They stand in every prompt of the project, after those of the persona. May be empty.
    instructions: str = ""
    #: The persona that its conversations begin with. None: the site's agent.
    persona_id: int | None = None
    #: The model that its conversations begin with. None: the persona's, or the site's default.
    model: str | None = None
    #: What is said in it is remembered and recalled there alone, and nothing else is.
    own_memory: bool = False


@dataclass(frozen=True, kw_only=True)
class Project:
    """A row of `projects`, and what is in it."""

    text: ProjectText
    created_at: datetime
    #: Of its conversations that are not archived.
    count: int
    #: Of all its conversations.
    chat_count: int
    #: Current facts in its own memory.
    fact_count: int
