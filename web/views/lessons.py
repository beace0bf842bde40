"""What the messages of a conversation have taught: the marks that the page shows under them."""

from __future__ import annotations

from flask import Blueprint, g
from pydantic import Field

from shared.models import ConversationId
from shared.store import conversations
from shared.store.facts import sources, suggestions
from web.api.answers import Answer
from web.api.operation import operation
from web.callers import needs
from web.context import transaction
from web.views.facts import FactAnswer, fact_answer
from web.views.suggestions import SuggestionAnswer, suggestion_answer

blueprint = Blueprint("lessons", __name__, url_prefix="/api/conversations")

MOST = 500  # of each kind; beyond that, those of the newest messages


class LessonAnswer(Answer):
    """A current fact that a message taught."""

    fact: FactAnswer
    replaced: str | None = Field(description="The value before it.")


class LessonsAnswer(Answer):
    facts: list[LessonAnswer]
    suggestions: list[SuggestionAnswer]


@blueprint.get("/<conversation:conversation_id>/lessons")
@needs("memory:read")
@operation()
def list_lessons(conversation_id: ConversationId) -> LessonsAnswer:
    """List the current facts and the open suggestions that come from a conversation.

    In the order of their messages, the newest 500 of each.
    """
    with transaction() as connection:
        conversations.get_conversation(connection, g.user_id, conversation_id)
        taught = sources.list_lessons(connection, g.user_id, conversation_id, MOST)
        asked = suggestions.list_suggested_in(connection, g.user_id, conversation_id, MOST)
    return LessonsAnswer(
        facts=[LessonAnswer(fact=fact_answer(one.fact), replaced=one.replaced) for one in taught],
        suggestions=[suggestion_answer(one) for one in asked],
    )
