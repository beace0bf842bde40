"""Prompts: texts that the user keeps, to put into messages."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from flask import Blueprint, g
from pydantic import Field

from shared.access import library
from shared.errors import ConflictError, NameTakenError
from shared.models.library import MAX_BODY_CHARS, MAX_NAME_CHARS, PROMPTS, Prompt, PromptText
from shared.store.library import list_entries
from web.api.answers import Answer, Instant, Page
from web.api.cursors import cut_page
from web.api.operation import operation
from web.api.patterns import MessageText
from web.process.context import transaction
from web.requests.callers import needs
from web.requests.forms import StrictForm, check_written, read_changes
from web.requests.queries import Listing

blueprint = Blueprint("prompts", __name__, url_prefix="/prompts")

PROMPT = "/<bigint:prompt_id>"

Name = Annotated[MessageText, Field(max_length=MAX_NAME_CHARS, examples=["summarise"])]
Text = Annotated[
    MessageText,
    Field(
        max_length=MAX_BODY_CHARS,
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
        prompts = list_entries(connection, g.user_id, PROMPTS)
    page, after = cut_page(prompts, query, lambda prompt: (prompt.text.name, prompt.entry_id))
    return PromptPage(prompts=[_answer(prompt) for prompt in page], next_cursor=after)


@blueprint.post("")
@needs("memory:read", "memory:write")
@operation(201, raises=(ConflictError, NameTakenError), once=True)
def add_prompt(form: PromptForm) -> tuple[PromptAnswer, int]:
    """Write a prompt."""
    text = PromptText(name=check_written("name", form.name), text=check_written("text", form.text))
    with transaction() as connection:
        prompt = library.add_entry(connection, g.user_id, PROMPTS, text)
    return _answer(prompt), 201


@blueprint.patch(PROMPT)
@needs("memory:read", "memory:write")
@operation(raises=(ConflictError, NameTakenError))
def change_prompt(prompt_id: int, form: PromptChangeForm) -> PromptAnswer:
    """Change a prompt. Messages that it was put into stay as they are."""
    changes = read_changes(form)
    with transaction() as connection:
        prompt = library.change_entry(connection, g.user_id, PROMPTS, prompt_id, changes)
    return _answer(prompt)


@blueprint.delete(PROMPT)
@needs("memory:write")
@operation(204)
def delete_prompt(prompt_id: int) -> None:
    """Delete a prompt."""
    with transaction() as connection:
        library.delete_entry(connection, g.user_id, PROMPTS, prompt_id)


def _answer(prompt: Prompt) -> PromptAnswer:
    return PromptAnswer(
        prompt_id=prompt.entry_id, created_at=prompt.created_at, **asdict(prompt.text)
    )
