"""Facts about the user: listed, stated, corrected, undone, deleted."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from flask import Blueprint, g
from pydantic import AfterValidator, Field

from shared.db import enter_memory
from shared.errors import ConflictError
from shared.events.announcements import announce
from shared.facts import corrections
from shared.facts.sentences import read_sentence
from shared.models import Category, Fact, Tidied
from shared.models.memory_scope import ALL_MEMORIES
from shared.store.facts import versions as fact_versions
from shared.user_data.erasure.facts import Forgetting, erase_fact
from web.api.answers import Answer, Instant, Page
from web.api.cursors import Place, cut_page
from web.api.operation import operation
from web.api.patterns import FactKey, FactValue
from web.api.receipt_answers import ReceiptAnswer, receipt_answer
from web.fields.memories import ABOUT_PROJECT, MemoryQuery, memory_transaction
from web.fields.project_names import ProjectName
from web.process.context import own_secrets, transaction, web_context
from web.requests.callers import needs
from web.requests.forms import StrictForm
from web.requests.queries import DryRun, Flag, Ids, InstantArgument, Listing

blueprint = Blueprint("facts", __name__, url_prefix="/facts")

LAST_DAY = "The last day on which it was said to hold, by the user's clock."

FACT = "/<bigint:fact_id>"

SHARE_DIGITS = 6  # Postgres's real refuses numbers that are too near to 0


def _round(share: float) -> float:
    return round(share, SHARE_DIGITS)


Share = Annotated[float, Field(ge=0, le=1), AfterValidator(_round)]


class FactForm(StrictForm):
    """A fact in the user's own words."""

    category: Category
    key: FactKey = Field(examples=["favourite_colour"])
    value: FactValue = Field(examples=["green"])
    importance: Share | None = None


class StatedFactForm(FactForm):
    """A fact in the user's own words, and the memory that it is for."""

    project: ProjectName | None = Field(default=None, description=ABOUT_PROJECT)


class SentenceForm(StrictForm):
    """A fact as a sentence."""

    text: FactValue = Field(examples=["I am allergic to peanuts"])
    project: ProjectName | None = Field(default=None, description=ABOUT_PROJECT)


class CorrectionForm(StrictForm):
    """The fields to change. The others stay as they are."""

    text: FactValue | None = Field(
        default=None, description="The fact as a sentence, for what no other field gives."
    )
    category: Category | None = None
    key: FactKey | None = None
    value: FactValue | None = None
    importance: Share | None = None


class VersionsQuery(Listing):
    DEFAULT = 100
    MOST = 500


class FactsQuery(MemoryQuery, VersionsQuery):
    category: Category | None = None
    include: Literal["history"] | None = Field(
        default=None, description="`history` adds earlier versions."
    )
    as_of: InstantArgument | None = Field(default=None, description="Those of that time.")


class FactDeletion(DryRun):
    everywhere: Flag = Field(
        default=False, description="Also the rounds that taught it and the replies that repeat it."
    )
    with_facts: Ids | None = Field(
        default=None,
        description=(
            "With `everywhere`: which other facts of these rounds go, too, by id, with commas "
            "between them. Without it, those that say the same value."
        ),
    )
    with_mentions: Flag = Field(
        default=False,
        description="With `everywhere`: also all other messages that contain the value.",
    )


class FactSource(Answer):
    """The message that taught a fact."""

    conversation_id: str
    sequence: int | None


class FactAnswer(Answer):
    """One version of a fact."""

    fact_id: int
    category: Category
    key: str
    value: str
    confidence: float
    importance: float
    is_active: bool
    stated: bool = Field(description="The user entered it; no message taught it.")
    source: FactSource | None = Field(
        description="Null for what the user stated, and once the conversation is deleted."
    )
    valid_from: Instant
    valid_to: Instant | None
    valid_until: date | None = Field(description=LAST_DAY)
    superseded_by: int | None
    tidied: Tidied | None = Field(
        description="How a tidying has ended it. Once that is undone, it is null."
    )
    project: str | None = Field(description="In whose own memory it is; null: in the shared one.")


class FactPage(Page):
    facts: list[FactAnswer]


class VersionPage(Page):
    versions: list[FactAnswer]


@blueprint.get("")
@needs("memory:read")
@operation()
def list_facts(query: FactsQuery) -> FactPage:
    """List facts, by category and key.

    Current versions. `include=history` adds earlier ones; `as_of` lists those of that time.
    """
    with memory_transaction(query.project) as connection:
        entries = fact_versions.list_facts(
            connection,
            g.user_id,
            category=query.category,
            with_history=query.include == "history",
            as_of=query.as_of,
        )
    page, after = cut_page(entries, query, _place)
    return FactPage(facts=[fact_answer(fact) for fact in page], next_cursor=after)


@blueprint.get(f"{FACT}/versions")
@needs("memory:read")
@operation()
def list_versions(fact_id: int, query: VersionsQuery) -> VersionPage:
    """List all versions under this fact's category and key, newest first."""
    with transaction() as connection:
        enter_memory(connection, ALL_MEMORIES)
        fact = fact_versions.get_fact(connection, g.user_id, fact_id)
        entries = fact_versions.list_versions(connection, g.user_id, fact)
    page, after = cut_page(entries, query, _place)
    return VersionPage(versions=[fact_answer(version) for version in page], next_cursor=after)


@blueprint.post("")
@needs("memory:write")
@operation(201, 200, once=True)
def add_fact(form: StatedFactForm) -> tuple[FactAnswer, int]:
    """State a fact.

    201 with a new version, or 200 when the current one says the same.
    """
    statement = corrections.Statement(**form.model_dump(exclude={"project"}))
    with memory_transaction(form.project) as connection:
        fact, is_new = corrections.state_fact(connection, g.user_id, statement, own_secrets())
    announce(web_context().services, g.user_id)
    return fact_answer(fact), 201 if is_new else 200


@blueprint.post("/sentences")
@needs("memory:write")
@operation(201, 200, once=True)
def add_sentence(form: SentenceForm) -> tuple[FactAnswer, int]:
    """State a fact as a sentence.

    A plain one, such as “I live in Bergen”, gets a category and a key by which it replaces the
    value before it. Any other is kept word for word.
    """
    statement = read_sentence(form.text)
    with memory_transaction(form.project) as connection:
        fact, is_new = corrections.state_fact(connection, g.user_id, statement, own_secrets())
    announce(web_context().services, g.user_id)
    return fact_answer(fact), 201 if is_new else 200


@blueprint.patch(FACT)
@needs("memory:write")
@operation(raises=(ConflictError,))
def correct_fact(fact_id: int, form: CorrectionForm) -> FactAnswer:
    """Correct a fact.

    Answers with the current version. A new value has a new `fact_id`.
    """
    correction = _read_correction(form)
    with transaction() as connection:
        fact = corrections.correct_fact(connection, g.user_id, fact_id, correction, own_secrets())
    announce(web_context().services, g.user_id)
    return fact_answer(fact)


@blueprint.post(f"{FACT}/undo")
@needs("memory:write")
@operation(raises=(ConflictError,), once=True)
def undo_change(fact_id: int) -> FactAnswer:
    """Undo a replacement, or what a tidying did.

    The version that this one replaced becomes current again; or this one itself, when a tidying
    has ended it (`tidied`). It is then left alone by later ones.
    """
    with transaction() as connection:
        fact = corrections.undo_change(connection, g.user_id, fact_id)
    announce(web_context().services, g.user_id)
    return fact_answer(fact)


@blueprint.delete(FACT)
@needs("memory:write")
@operation(raises=(ConflictError,))
def delete_fact(fact_id: int, query: FactDeletion) -> ReceiptAnswer:
    """Delete a fact with all its versions. Earlier messages do not teach it again.

    `everywhere` also deletes the rounds that taught it, the replies that repeat it, and what was
    derived from these. Other facts that these rounds taught stay unless `with_facts` names them;
    the receipt lists them.
    """
    wish = Forgetting(fact_id=fact_id, **query.model_dump(exclude={"dry_run"}))
    receipt = erase_fact(web_context().services, g.user_id, wish, dry_run=query.dry_run)
    return receipt_answer(receipt)


def _read_correction(form: CorrectionForm) -> corrections.Correction:
    if form.text is None:
        return corrections.Correction(**form.model_dump(exclude={"text"}))
    statement = read_sentence(form.text)
    return corrections.Correction(
        category=form.category or statement.category,
        key=statement.key if form.key is None else form.key,
        value=statement.value if form.value is None else form.value,
        importance=form.importance,
    )


def fact_answer(fact: Fact) -> FactAnswer:
    return FactAnswer(
        fact_id=fact.fact_id,
        category=fact.category,
        key=fact.key,
        value=fact.value,
        confidence=fact.confidence,
        importance=fact.importance,
        is_active=fact.is_active,
        stated=fact.source_sequence is None,
        source=_source_answer(fact),
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
        valid_until=fact.valid_until,
        superseded_by=fact.superseded_by,
        tidied=None if fact.is_active else fact.tidied,
        project=fact.project,
    )


def _source_answer(fact: Fact) -> FactSource | None:
    if fact.source_conversation_id is None:
        return None
    return FactSource(conversation_id=fact.source_conversation_id, sequence=fact.source_sequence)


def _place(fact: Fact) -> Place:
    """The sort key of a version: by category and key, the newest first."""
    return fact.category, fact.key, -fact.valid_from.timestamp(), -fact.fact_id
