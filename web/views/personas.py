"""Personas: assistants that the user writes."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from flask import Blueprint, g
from pydantic import Field

from shared.access.audit import record
from shared.db import PgConnection
from shared.errors import ConflictError, NameTakenError
from shared.models import Action, Mode, Thing
from shared.models.personas import (
    MAX_INSTRUCTIONS_CHARS,
    MAX_NAME_CHARS,
    MAX_PERSONAS,
    Persona,
    PersonaText,
)
from shared.store import personas, users
from web.api.answers import Answer, Instant, Page
from web.api.cursors import cut_page
from web.api.operation import operation
from web.api.patterns import MessageText, ModelName
from web.fields.offered_models import check_offered
from web.process.context import transaction
from web.requests.callers import needs
from web.requests.forms import StrictForm, check_written
from web.requests.queries import Listing

blueprint = Blueprint("personas", __name__, url_prefix="/personas")

PERSONA = "/<bigint:persona_id>"

Name = Annotated[MessageText, Field(max_length=MAX_NAME_CHARS, examples=["Editor"])]
Instructions = Annotated[
    MessageText,
    Field(max_length=MAX_INSTRUCTIONS_CHARS, examples=["You are a strict editor of English."]),
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
        entries = personas.list_personas(connection, g.user_id)
    page, after = cut_page(entries, query, lambda persona: (persona.text.name, persona.persona_id))
    return PersonaPage(personas=[_answer(persona) for persona in page], next_cursor=after)


@blueprint.post("")
@needs("memory:read", "memory:write")
@operation(201, raises=(ConflictError, NameTakenError), once=True)
def add_persona(form: PersonaForm) -> tuple[PersonaAnswer, int]:
    """Write a persona."""
    text = _checked(
        PersonaText(
            name=form.name,
            instructions=form.instructions,
            model=check_offered(form.model),
            mode=form.mode,
        )
    )
    with transaction() as connection:
        users.ensure_user(connection, g.user_id)
        users.lock_user(connection, g.user_id)
        if len(personas.list_personas(connection, g.user_id)) >= MAX_PERSONAS:
            raise ConflictError(f"You have {MAX_PERSONAS} personas already. Delete one first.")
        persona = personas.add_persona(connection, g.user_id, text)
        _record(connection, "persona.create", persona.persona_id)
    return _answer(persona), 201


@blueprint.patch(PERSONA)
@needs("memory:read", "memory:write")
@operation(raises=(ConflictError, NameTakenError))
def change_persona(persona_id: int, form: PersonaChangeForm) -> PersonaAnswer:
    """Change a persona. Its conversations follow the new instructions from their next reply on.

    Its model and its use of memory count for new conversations.
    """
    model = check_offered(form.model)
    with transaction() as connection:
        users.lock_user(connection, g.user_id)
        before = personas.get_persona(connection, g.user_id, persona_id)
        text = _checked(
            replace(
                before.text,
                name=before.text.name if form.name is None else form.name,
                instructions=(
                    before.text.instructions if form.instructions is None else form.instructions
                ),
                model=model if "model" in form.model_fields_set else before.text.model,
                mode=form.mode or before.text.mode,
            )
        )
        others = personas.list_personas(connection, g.user_id)
        if any(other.text.name == text.name and other.persona_id != persona_id for other in others):
            raise NameTakenError
        changed = personas.change_persona(connection, g.user_id, persona_id, text)
        _record(connection, "persona.change", persona_id)
    return _answer(changed)


@blueprint.delete(PERSONA)
@needs("memory:write")
@operation(204)
def delete_persona(persona_id: int) -> None:
    """Delete a persona. Its conversations stay, and the site's first agent goes on with them."""
    with transaction() as connection:
        personas.delete_persona(connection, g.user_id, persona_id)
        _record(connection, "persona.delete", persona_id)


def _checked(text: PersonaText) -> PersonaText:
    return replace(
        text,
        name=check_written("name", text.name),
        instructions=check_written("instructions", text.instructions),
    )


def _record(connection: PgConnection, action: Action, persona_id: int) -> None:
    record(connection, action, g.user_id, Thing("persona", str(persona_id)))


def _answer(persona: Persona) -> PersonaAnswer:
    text = persona.text
    return PersonaAnswer(
        persona_id=persona.persona_id,
        name=text.name,
        instructions=text.instructions,
        model=text.model,
        mode=text.mode,
        created_at=persona.created_at,
    )
