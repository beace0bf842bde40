"""`list_facts` and `correct`."""

from __future__ import annotations

from flask import g
from pydantic import Field

from shared.errors import InvalidRequestError
from shared.events.announcements import announce
from shared.facts.corrections import Correction, correct_fact
from shared.models import Category
from web.mcp.items import FactItem, Instant, Item, fact_item
from web.mcp.listing import FactFilter, list_facts, read_cursor
from web.mcp.tool import Arguments, MemoryArguments, Tool
from web.mcp.tools.remember import Share
from web.mcp.uris import read_fact_uri
from web.process.context import own_secrets, transaction, web_context


class ListArguments(MemoryArguments):
    category: Category | None = Field(default=None, description="Only facts of this category.")
    include_history: bool = Field(
        default=False, description="Also values that were replaced or ended."
    )
    as_of: Instant | None = Field(default=None, description="What was true at that time instead.")
    limit: int = Field(default=50, ge=1, le=200)
    cursor: str | None = Field(default=None, description="`next_cursor` of the page before.")


class Facts(Item):
    facts: list[FactItem] = Field(description="The newest first.")
    next_cursor: str | None = Field(description="null: this is the last page.")


class CorrectArguments(Arguments):
    uri: str = Field(description="The fact's address: throughline://facts/12.")
    value: str | None = Field(
        default=None, description="The new value; the old one stays as history."
    )
    category: Category | None = None
    key: str | None = None
    importance: Share | None = None


class Corrected(Item):
    fact: FactItem = Field(description="The current version. With a new value it has a new uri.")


def list_(arguments: ListArguments) -> Facts:
    page, following = list_facts(
        read_cursor(arguments.cursor) if arguments.cursor else None,
        arguments.limit,
        FactFilter(
            category=arguments.category,
            with_history=arguments.include_history,
            as_of=arguments.as_of,
            project=arguments.project,
        ),
    )
    cursor = None if following is None else str(following)
    return Facts(facts=[fact_item(fact) for fact in page], next_cursor=cursor)


def correct(arguments: CorrectArguments) -> Corrected:
    changes = arguments.model_dump(exclude={"uri"})
    if not any(change is not None for change in changes.values()):
        raise InvalidRequestError("value, category, key or importance: name what to change.")
    fact_id = read_fact_uri(arguments.uri)
    with transaction() as connection:
        fact = correct_fact(connection, g.user_id, fact_id, Correction(**changes), own_secrets())
    announce(web_context().services, g.user_id)
    return Corrected(fact=fact_item(fact))


LIST_FACTS = Tool(
    name="list_facts",
    title="List facts",
    description=(
        "All facts that are remembered about the user, with their addresses. Use it to show the "
        "user what is known, or to find a fact to correct or forget. For context to answer a "
        "question, recall is shorter."
    ),
    arguments=ListArguments,
    result=Facts,
    run=list_,
    scope="memory:read",
)

CORRECT = Tool(
    name="correct",
    title="Correct a fact",
    description=(
        "Change a fact that is wrong or out of date, or file it under another category or key. "
        "Its former value stays as history and can be brought back. Only the current version can "
        "be corrected."
    ),
    arguments=CorrectArguments,
    result=Corrected,
    run=correct,
    scope="memory:write",
    is_idempotent=False,
)
