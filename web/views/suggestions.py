"""Suggested facts, which are uncertain: listed, confirmed, dismissed."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from flask import Blueprint, g
from pydantic import Field

from shared.errors import ConflictError
from shared.events.announcements import announce
from shared.facts.suggestions import (
    confirm_suggestion,
    confirm_suggestions,
    dismiss_suggestion,
)
from shared.models import Category, Suggestion
from shared.store.facts import suggestions
from web.api.answers import Answer, Instant, Page
from web.api.cursors import Place, cut_page
from web.api.operation import operation
from web.fields.memories import MemoryQuery, memory_transaction
from web.process.context import own_secrets, transaction, web_context
from web.requests.callers import needs
from web.requests.forms import WHOLE, StrictForm
from web.requests.queries import MAX_ID, Listing
from web.views.facts import LAST_DAY, FactAnswer, FactSource, fact_answer

blueprint = Blueprint("suggestions", __name__, url_prefix="/facts/suggestions")

SUGGESTION = "/<bigint:suggestion_id>"
MAX_AT_ONCE = 100

SuggestionId = Annotated[int, Field(ge=0, le=MAX_ID), WHOLE]


class SuggestionAnswer(Answer):
    """An uncertain fact. Prompts do not contain it."""

    suggestion_id: int
    category: Category
    key: str
    value: str
    confidence: float
    importance: float
    source: FactSource
    said_at: Instant
    valid_until: date | None = Field(description=LAST_DAY)
    project: str | None = Field(description="As for a fact.")


class SuggestionsQuery(MemoryQuery, Listing):
    pass


class SuggestionPage(Page):
    suggestions: list[SuggestionAnswer]


@blueprint.get("")
@needs("memory:read")
@operation()
def list_suggestions(query: SuggestionsQuery) -> SuggestionPage:
    """List open suggestions, newest first."""
    with memory_transaction(query.project) as connection:
        entries = suggestions.list_suggestions(connection, g.user_id)
    page, after = cut_page(entries, query, _place)
    return SuggestionPage(
        suggestions=[suggestion_answer(suggestion) for suggestion in page], next_cursor=after
    )


@blueprint.post(f"{SUGGESTION}/confirm")
@needs("memory:write")
@operation(201, raises=(ConflictError,), once=True)
def confirm(suggestion_id: int) -> tuple[FactAnswer, int]:
    """Confirm a suggestion. 201 with the new fact."""
    with transaction() as connection:
        fact = confirm_suggestion(connection, g.user_id, suggestion_id, own_secrets())
    announce(web_context().services, g.user_id)
    return fact_answer(fact), 201


class ConfirmForm(StrictForm):
    """Suggestions that the user has seen."""

    suggestion_ids: list[SuggestionId] = Field(min_length=1, max_length=MAX_AT_ONCE)


class ConfirmedFacts(Answer):
    facts: list[FactAnswer]


@blueprint.post("/confirm")
@needs("memory:write")
@operation(raises=(ConflictError,), once=True)
def confirm_all(form: ConfirmForm) -> ConfirmedFacts:
    """Confirm several suggestions at once. Those that wait no more are passed over."""
    with transaction() as connection:
        facts = confirm_suggestions(connection, g.user_id, form.suggestion_ids)
    announce(web_context().services, g.user_id)
    return ConfirmedFacts(facts=[fact_answer(fact) for fact in facts])


@blueprint.delete(SUGGESTION)
@needs("memory:write")
@operation(204)
def dismiss(suggestion_id: int) -> None:
    """Dismiss a suggestion. The same value is not suggested again."""
    with transaction() as connection:
        dismiss_suggestion(connection, g.user_id, suggestion_id)


def suggestion_answer(suggestion: Suggestion) -> SuggestionAnswer:
    return SuggestionAnswer(
        suggestion_id=suggestion.suggestion_id,
        category=suggestion.category,
        key=suggestion.key,
        value=suggestion.value,
        confidence=suggestion.confidence,
        importance=suggestion.importance,
        source=FactSource(
            conversation_id=suggestion.source_conversation_id,
            sequence=suggestion.source_sequence,
        ),
        said_at=suggestion.said_at,
        valid_until=suggestion.valid_until,
        project=suggestion.project,
    )


def _place(suggestion: Suggestion) -> Place:
    return -suggestion.said_at.timestamp(), -suggestion.suggestion_id
