"""What the messages of a conversation have taught: the marks that the page shows under them."""

from __future__ import annotations

from flask import Blueprint, g
from pydantic import Field

from shared.db import enter_memory
from shared.models import ConversationId
from shared.models.memory_scope import ALL_MEMORIES
from shared.store import conversations, withheld
from shared.store.facts import sources, suggestions
from web.api.answers import Answer
from web.api.operation import operation
from web.process.context import transaction
from web.requests.callers import needs
from web.views.facts import FactAnswer, fact_answer
from web.views.suggestions import SuggestionAnswer, suggestion_answer

blueprint = Blueprint("lessons", __name__, url_prefix="/conversations")

MOST = 500  # of each kind; beyond that, those of the newest messages


class LessonAnswer(Answer):
    """A current fact that a message taught."""

    fact: FactAnswer
    replaced: str | None = Field(description="The value before it.")


class WithheldAnswer(Answer):
    """A message that asks not to be remembered, or to forget something."""

    conversation_id: str
    sequence: int
    other_count: int = Field(description="Messages of other rounds that are withheld for it.")
    forgotten: list[FactAnswer] = Field(description="The facts that ended with it.")


class LessonsAnswer(Answer):
    facts: list[LessonAnswer]
    suggestions: list[SuggestionAnswer]
    withheld: list[WithheldAnswer]


@blueprint.get("/<conversation:conversation_id>/lessons")
@needs("memory:read")
@operation()
def list_lessons(conversation_id: ConversationId) -> LessonsAnswer:
    """List the current facts and the open suggestions that come from a conversation.

    And the messages that ask not to be remembered. In the order of their messages, the newest 500
    of each.
    """
    with transaction() as connection:
        enter_memory(connection, ALL_MEMORIES)
        conversations.get_conversation(connection, g.user_id, conversation_id)
        taught = sources.list_lessons(connection, g.user_id, conversation_id, MOST)
        open_suggestions = suggestions.list_suggested_in(
            connection, g.user_id, conversation_id, MOST
        )
        wishes = withheld.list_wishes(connection, g.user_id, conversation_id, MOST)
        ended = {
            wish.sequence: sources.list_ended_at(connection, g.user_id, wish.asked_at)
            for wish in wishes
        }
    return LessonsAnswer(
        facts=[
            LessonAnswer(fact=fact_answer(lesson.fact), replaced=lesson.replaced)
            for lesson in taught
        ],
        suggestions=[suggestion_answer(suggestion) for suggestion in open_suggestions],
        withheld=[
            WithheldAnswer(
                conversation_id=conversation_id,
                sequence=wish.sequence,
                other_count=wish.other_count,
                forgotten=[fact_answer(fact) for fact in ended[wish.sequence]],
            )
            for wish in wishes
        ],
    )
