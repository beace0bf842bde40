"""Personas: assistants that the user writes."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from flask import Blueprint, g
from pydantic import Field

from shared.access import library
from shared.errors import ConflictError, NameTakenError
from shared.models import Mode
from shared.models.library import MAX_BODY_CHARS, MAX_NAME_CHARS, PERSONAS, Persona, PersonaText
from shared.store.library import list_entries
from web.api.answers import Answer, Instant, Page
from web.api.cursors import cut_page
from web.api.operation import operation
from web.api.patterns import MessageText, ModelName
from web.fields.offered_models import check_offered
from web.process.context import transaction
from web.requests.callers import needs
from web.requests.forms import StrictForm, check_written, read_changes
from web.requests.queries import Listing

blueprint = Blueprint("personas", __name__, url_prefix="/personas")

PERSONA = "/<bigint:persona_id>"

Name = Annotated[MessageText, Field(max_length=MAX_NAME_CHARS, examples=["Editor"])]
Instructions = Annotated[
    MessageText,
    Field(max_length=MAX_BODY_CHARS, examples=["You are a strict editor of English."]),
]


class PersonaForm(StrictForm):
    """A persona."""

    name: Name
    instructions: Instructions
    model: ModelName | None = Field(
        default=None, description="Its conversations begin with it. Null: the site's default."
    )
    mode: Mode = "active"


class PersonaChangeForm(StrictForm):
    """The fields to change. The others stay as they are."""

    name: Name | None = None
    instructions: Instructions | None = None
    model: ModelName | None = Field(default=None, description="Null: the site's default.")
    mode: Mode | None = None


class PersonaAnswer(Answer):
    persona_id: int
    name: str
    instructions: str
    model: str | None
    mode: Mode
    created_at: Instant


class PersonaPage(Page):
    personas: list[PersonaAnswer]


@blueprint.get("")
@needs("memory:read")
@operation()
def list_personas(query: Listing) -> PersonaPage:
    """List the user's personas by name."""
    with transaction() as connection:
        personas = list_entries(connection, g.user_id, PERSONAS)
    page, after = cut_page(personas, query, lambda persona: (persona.text.name, persona.entry_id))
    return PersonaPage(personas=[_answer(persona) for persona in page], next_cursor=after)


@blueprint.post("")
@needs("memory:read", "memory:write")
@operation(201, raises=(ConflictError, NameTakenError), once=True)
def add_persona(form: PersonaForm) -> tuple[PersonaAnswer, int]:
    """Write a persona."""
    text = PersonaText(
        name=check_written("name", form.name),
        instructions=check_written("instructions", form.instructions),
        model=check_offered(form.model),
        mode=form.mode,
    )
    with transaction() as connection:
        persona = library.add_entry(connection, g.user_id, PERSONAS, text)
    return _answer(persona), 201


@blueprint.patch(PERSONA)
@needs("memory:read", "memory:write")
@operation(raises=(ConflictError, NameTakenError))
def change_persona(persona_id: int, form: PersonaChangeForm) -> PersonaAnswer:
    """Change a persona. Its conversations follow the new instructions from their next reply on.

    Its model and its use of memory count for new conversations.
    """
    changes: dict[str, str | None] = {**read_changes(form)}
    if "model" in form.model_fields_set:
        changes["model"] = check_offered(form.model)
    with transaction() as connection:
        persona = library.change_entry(connection, g.user_id, PERSONAS, persona_id, changes)
    return _answer(persona)


@blueprint.delete(PERSONA)
@needs("memory:write")
@operation(204)
def delete_persona(persona_id: int) -> None:
    """Delete a persona. Its conversations stay, and the site's first agent goes on with them."""
    with transaction() as connection:
        library.delete_entry(connection, g.user_id, PERSONAS, persona_id)


def _answer(persona: Persona) -> PersonaAnswer:
    return PersonaAnswer(
        persona_id=persona.entry_id, created_at=persona.created_at, **asdict(persona.text)
    )
