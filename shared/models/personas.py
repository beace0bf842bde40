"""Personas: assistants that a user writes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shared.models.ids import Mode

MAX_PERSONAS = 50  # of one user
MAX_NAME_CHARS = 60
MAX_INSTRUCTIONS_CHARS = 8_000


@dataclass(frozen=True, kw_only=True)
class PersonaText:
    """What its user writes."""

    name: str
    #: The system prompt, in place of an agent's.
    instructions: str
    #: The model that its conversations begin with. None: the site's default.
    model: str | None
    #: What memory may do in conversations that begin with it.
    mode: Mode


@dataclass(frozen=True, kw_only=True)
class Persona:
    """A row of `personas`."""

    persona_id: int
    text: PersonaText
    created_at: datetime
