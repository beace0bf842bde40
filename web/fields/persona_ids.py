"""The persona that a request names."""

from __future__ import annotations

from typing import Annotated

from flask import g
from pydantic import Field

from shared.models.library import PERSONAS, Persona
from shared.store import library
from web.process.context import transaction
from web.requests.forms import WHOLE
from web.requests.queries import MAX_ID

PersonaId = Annotated[int, Field(ge=0, le=MAX_ID), WHOLE]


def find_persona(persona_id: int | None) -> Persona | None:
    """Raises `NotFoundError` unless it is the user's. None: the request names none."""
    if persona_id is None:
        return None
    with transaction() as connection:
        return library.get_entry(connection, g.user_id, PERSONAS, persona_id)
