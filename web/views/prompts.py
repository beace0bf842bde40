"""Prompts: texts that the user keeps, to put into messages."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from flask import Blueprint, g
from pydantic import Field

from shared.access.audit import record
from shared.db import PgConnection
from shared.errors import ConflictError, NameTakenError
from shared.models import Action, Thing
from shared.models.prompts import (
    MAX_NAME_CHARS,
    MAX_PROMPTS,
    MAX_TEXT_CHARS,
    Prompt,
    PromptText,
)
from shared.store import prompts, users
from web.api.answers import Answer, Instant, Page
from web.api.cursors import cut_page
from web.api.operation import operation
from web.api.patterns import MessageText
from web.process.context import transaction
from web.requests.callers import needs
from web.requests.forms import StrictForm, check_written
from web.requests.queries import Listing

blueprint = Blueprint("prompts", __name__, url_prefix="/prompts")

PROMPT = "/<bigint:prompt_id>"

Name = Annotated[MessageText, Field(max_length=MAX_NAME_CHARS, examples=["summarise"])]
Text = Annotated[
    MessageText,
    Field(
        max_length=MAX_TEXT_CHARS,
        description="The page selects gaps such as {{city}}, to be filled in.",
        examples=["Sum up in {{count}} points:"],
    ),
]


class PromptForm(StrictForm):
    """A prompt."""

    name: Name
    text: Text


class PromptChangeForm(StrictForm):
    """The fields to change. The others stay as they are."""

    name: Name | None = None
    text: Text | None = None


class PromptAnswer(Answer):
    prompt_id: int
    name: str
    text: str
    created_at: Instant


class PromptPage(Page):
    prompts: list[PromptAnswer]


@blueprint.get("")
@needs("memory:read")
@operation()
def list_prompts(query: Listing) -> PromptPage:
    """List the user's prompts by name."""
    with transaction() as connection:
        entries = prompts.list_prompts(connection, g.user_id)
    page, after = cut_page(entries, query, lambda prompt: (prompt.text.name, prompt.prompt_id))
    return PromptPage(prompts=[_answer(prompt) for prompt in page], next_cursor=after)


@blueprint.post("")
@needs("memory:read", "memory:write")
@operation(201, raises=(ConflictError, NameTakenError), once=True)
def add_prompt(form: PromptForm) -> tuple[PromptAnswer, int]:
    """Write a prompt."""
    text = _checked(PromptText(name=form.name, text=form.text))
    with transaction() as connection:
        users.ensure_user(connection, g.user_id)
        users.lock_user(connection, g.user_id)
        if len(prompts.list_prompts(connection, g.user_id)) >= MAX_PROMPTS:
            raise ConflictError(f"You have {MAX_PROMPTS} prompts already. Delete one first.")
        prompt = prompts.add_prompt(connection, g.user_id, text)
        _record(connection, "prompt.create", prompt.prompt_id)
    return _answer(prompt), 201


@blueprint.patch(PROMPT)
@needs("memory:read", "memory:write")
@operation(raises=(ConflictError, NameTakenError))
def change_prompt(prompt_id: int, form: PromptChangeForm) -> PromptAnswer:
    """Change a prompt. Messages that it was put into stay as they are."""
    changes = {
        name: value
        for name, value in form.model_dump(exclude_unset=True).items()
        if value is not None
    }
    with transaction() as connection:
        users.lock_user(connection, g.user_id)
        before = prompts.get_prompt(connection, g.user_id, prompt_id)
        text = _checked(replace(before.text, **changes))
        others = prompts.list_prompts(connection, g.user_id)
        if any(other.text.name == text.name and other.prompt_id != prompt_id for other in others):
            raise NameTakenError
        changed = prompts.change_prompt(connection, g.user_id, prompt_id, text)
        _record(connection, "prompt.change", prompt_id)
    return _answer(changed)


@blueprint.delete(PROMPT)
@needs("memory:write")
@operation(204)
def delete_prompt(prompt_id: int) -> None:
    """Delete a prompt."""
    with transaction() as connection:
        prompts.delete_prompt(connection, g.user_id, prompt_id)
        _record(connection, "prompt.delete", prompt_id)


def _checked(text: PromptText) -> PromptText:
    return PromptText(name=check_written("name", text.name), text=check_written("text", text.text))


def _record(connection: PgConnection, action: Action, prompt_id: int) -> None:
    record(connection, action, g.user_id, Thing("prompt", str(prompt_id)))


def _answer(prompt: Prompt) -> PromptAnswer:
    return PromptAnswer(
        prompt_id=prompt.prompt_id,
        name=prompt.text.name,
        text=prompt.text.text,
        created_at=prompt.created_at,
    )
