"""What a move of a conversation into a project, or out of one, would do."""

from __future__ import annotations

from flask import Blueprint, g
from pydantic import Field

from shared.facts.moves import preview_move
from shared.models import ConversationId
from shared.store import conversations
from web.api.answers import Answer
from web.api.operation import operation
from web.fields.project_names import ProjectFilter
from web.process.context import transaction
from web.requests.callers import needs
from web.requests.queries import Query

blueprint = Blueprint("moves", __name__, url_prefix="/conversations")


class MoveQuery(Query):
    project: ProjectFilter | None = Field(
        default=None, description="The project to move it into; if empty, out of any."
    )


class MoveAnswer(Answer):
    changes_memory: bool
    from_memory: str | None = Field(description="A project; null: the shared memory.")
    to_memory: str | None
    facts_moved: int = Field(description="Learned from this conversation alone: they go along.")
    facts_kept: int = Field(
        description="Learned from it, and they stay: others of the same slot come from elsewhere."
    )


@blueprint.get("/<conversation:conversation_id>/move")
@needs("memory:read")
@operation()
def preview_conversation_move(conversation_id: ConversationId, query: MoveQuery) -> MoveAnswer:
    """Tell what a move would do to what was learned. Messages and summaries always go along."""
    with transaction() as connection:
        conversation = conversations.get_conversation(connection, g.user_id, conversation_id)
        move, facts = preview_move(connection, conversation, query.project or None)
    return MoveAnswer(
        changes_memory=move.source != move.target,
        from_memory=move.source,
        to_memory=move.target,
        facts_moved=facts.moved,
        facts_kept=facts.left,
    )
