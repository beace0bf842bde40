"""Lists of what another assistant remembers: a look at what they would state, and keeping."""

from __future__ import annotations

from typing import Annotated

from flask import Blueprint, g
from pydantic import Field

from shared.events.announcements import announce
from shared.facts.corrections import Statement
from shared.facts.memory_lists import Entry, State, keep_statements, preview_list
from shared.models import Category
from shared.policy.facts.memory_lists import MAX_ENTRIES, MAX_LIST_CHARS
from web.api.answers import Answer
from web.api.operation import operation
from web.process.context import own_secrets, transaction, web_context
from web.requests.callers import needs
from web.requests.forms import StrictForm
from web.views.facts import FactAnswer, FactForm, fact_answer

blueprint = Blueprint("memory_lists", __name__, url_prefix="/facts/lists")


class MemoryListForm(StrictForm):
    """A list as another assistant shows it."""

    text: Annotated[str, Field(json_schema_extra={"maxLength": MAX_LIST_CHARS})] = Field(
        examples=["- User lives in Oslo\n- User is vegetarian"]
    )


class EntryAnswer(Answer):
    """An entry of the list, with the fact that it would state."""

    text: str
    state: State = Field(
        description=(
            "`new`; `replaces` a value that is known; `deleted` by the user before; `known`; or "
            "refused as a `secret`, as an `order` to the system, or as `too_long`."
        )
    )
    category: Category | None = Field(description="Null for what is refused, as are key and value.")
    key: str | None
    value: str | None
    replaces: str | None = Field(description="The value that is known.")


class PreviewAnswer(Answer):
    entries: list[EntryAnswer] = Field(description=f"{MAX_ENTRIES} at most.")
    further_count: int = Field(description="Entries beyond these.")
    left_out: list[str] = Field(description="Headings, and the talk around the list.")


class ChosenFactsForm(StrictForm):
    """What the user has chosen of the list."""

    facts: list[FactForm] = Field(min_length=1, max_length=MAX_ENTRIES)


class KeptFactsAnswer(Answer):
    facts: list[FactAnswer] = Field(description="In the order of the request.")
    new_count: int = Field(description="Of new versions. The others were known.")


@blueprint.post("/preview")
@needs("memory:read", "memory:write")
@operation()
def preview(form: MemoryListForm) -> PreviewAnswer:
    """Look at what a list of another assistant's memory would state.

    Nothing is learned. Lines, bullets, numbers, dates, headings and prose are read, in any
    language; plain English sentences about “the user”, “you” or the user's name get a category and
    a key, all else is given word for word.
    """
    with transaction() as connection:
        reading = preview_list(connection, g.user_id, form.text, own_secrets())
    return PreviewAnswer(
        entries=[_entry_answer(entry) for entry in reading.entries],
        further_count=reading.further_count,
        left_out=list(reading.left_out),
    )


@blueprint.post("")
@needs("memory:write")
@operation(once=True)
def keep(form: ChosenFactsForm) -> KeptFactsAnswer:
    """Keep what was chosen of a list: all of it, or nothing.

    Each becomes a fact as one stated by hand does. A secret is refused (400).
    """
    statements = [Statement(**fact.model_dump()) for fact in form.facts]
    with transaction() as connection:
        stated = keep_statements(connection, g.user_id, statements, own_secrets())
    announce(web_context().services, g.user_id)
    return KeptFactsAnswer(
        facts=[fact_answer(fact) for fact, _ in stated],
        new_count=sum(is_new for _, is_new in stated),
    )


def _entry_answer(entry: Entry) -> EntryAnswer:
    statement = entry.statement
    return EntryAnswer(
        text=entry.text,
        state=entry.state,
        category=statement.category if statement else None,
        key=statement.key if statement else None,
        value=statement.value if statement else None,
        replaces=entry.replaces,
    )
