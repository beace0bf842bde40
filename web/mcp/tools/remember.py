"""`remember`: keep a note, facts, or both."""

from __future__ import annotations

from typing import Annotated, Literal

from flask import g
from pydantic import ConfigDict, Field

from shared.broker.sending import send_due
from shared.db import PgConnection
from shared.errors import InvalidRequestError
from shared.events.announcements import announce
from shared.facts.corrections import Statement, state_fact
from shared.models import Category
from shared.rounds.notes import Note, keep_note
from web.fields.memories import memory_transaction
from web.fields.project_names import find_project
from web.mcp.items import FactItem, Item, fact_item
from web.mcp.tool import Arguments, MemoryArguments, Tool
from web.mcp.uris import message_uri
from web.process.context import own_secrets, web_context
from web.requests.forms import check_text

MAX_FACTS = 50

Share = Annotated[float, Field(ge=0, le=1)]


class NamedFact(Arguments):
    model_config = ConfigDict(extra="forbid", title="Fact")

    category: Category = Field(
        description=(
            "identity: who the user is. preference: what they like. constraint: what must be "
            "respected (allergies, limits). instruction: how they want to be answered."
        )
    )
    key: str = Field(description="What it is about, in snake_case: home_city, favourite_colour.")
    value: str = Field(description="The value alone: Lisbon.")
    importance: Share | None = Field(
        default=None, description="How much it matters in any conversation, 0 to 1."
    )


class RememberArguments(MemoryArguments):
    text: str | None = Field(
        default=None,
        description=(
            "A note in the user's own words and in the first person, as they would say it: "
            "“I moved to Lisbon in March.” It is kept word for word; facts are learned from it in "
            "the background."
        ),
    )
    facts: list[NamedFact] = Field(
        default=[],
        max_length=MAX_FACTS,
        description=(
            "Facts about the user that you can name exactly. They are recorded at once; a new "
            "value replaces the current one under the same category and key."
        ),
    )


class KeptNote(Item):
    uri: str
    outcome: Literal["kept", "already_kept"] = Field(
        description="already_kept: the newest note says the same, so nothing was added."
    )


class KeptFact(Item):
    fact: FactItem
    outcome: Literal["recorded", "confirmed"] = Field(
        description="confirmed: the same value was on record."
    )


class Remembered(Item):
    note: KeptNote | None
    facts: list[KeptFact]


def remember(arguments: RememberArguments) -> Remembered:
    """All of it is kept, or nothing."""
    services = web_context().services
    text = None if arguments.text is None else check_text(arguments.text)
    if text is None and not arguments.facts:
        raise InvalidRequestError("text or facts: name what to remember.")
    project = find_project(arguments.project)
    name = project.name if project else None
    with memory_transaction(name) as connection:
        # The note first: events, which facts write, are locked after conversations.
        note = keep_note(connection, g.user_id, text, services.settings, name) if text else None
        facts = [_state(connection, fact) for fact in arguments.facts]
    if note is not None:
        send_due(services.broker, note.due)
    announce(services, g.user_id)
    return Remembered(note=_note_answer(note) if note else None, facts=facts)


def _state(connection: PgConnection, fact: NamedFact) -> KeptFact:
    stated, is_new = state_fact(
        connection, g.user_id, Statement(**fact.model_dump()), own_secrets()
    )
    return KeptFact(fact=fact_item(stated), outcome="recorded" if is_new else "confirmed")


def _note_answer(note: Note) -> KeptNote:
    return KeptNote(
        uri=message_uri(note.conversation_id, note.sequence),
        outcome="kept" if note.is_new else "already_kept",
    )


REMEMBER = Tool(
    name="remember",
    title="Remember something",
    description=(
        "Keep something about the user for later conversations. Call it when the user says "
        "something lasting about themself, decides something, or asks you to remember. Give "
        "`text` for anything that was said, `facts` for what you can name exactly, or both. Do "
        "not store secrets such as passwords, or guesses of your own."
    ),
    arguments=RememberArguments,
    result=Remembered,
    run=remember,
    scope="memory:write",
)
