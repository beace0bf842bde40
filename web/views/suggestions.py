"""Suggested facts, which are uncertain: listed, confirmed, dismissed."""

from __future__ import annotations

from flask import Blueprint, Response, g, jsonify

from shared.events.announcements import announce
from shared.facts.suggestions import confirm_suggestion, dismiss_suggestion
from shared.models import Suggestion
from shared.store.facts import suggestions
from web.callers import needs
from web.context import transaction, web_context
from web.views.facts import fact_json

blueprint = Blueprint("suggestions", __name__, url_prefix="/api/facts/suggestions")

SUGGESTION = "/<bigint:suggestion_id>"


@blueprint.get("")
@needs("memory:read")
def list_suggestions() -> Response:
    """Open suggestions, newest first. Prompts do not contain them."""
    with transaction() as connection:
        found = suggestions.list_suggestions(connection, g.user_id)
    return jsonify(suggestions=[_json(suggestion) for suggestion in found])


@blueprint.post(f"{SUGGESTION}/confirm")
@needs("memory:write")
def confirm(suggestion_id: int) -> tuple[Response, int]:
    """201 with the new fact."""
    with transaction() as connection:
        fact = confirm_suggestion(connection, g.user_id, suggestion_id)
    announce(web_context().services, g.user_id)
    return jsonify(fact_json(fact)), 201


@blueprint.delete(SUGGESTION)
@needs("memory:write")
def dismiss(suggestion_id: int) -> tuple[str, int]:
    """The same value is not suggested again."""
    with transaction() as connection:
        dismiss_suggestion(connection, g.user_id, suggestion_id)
    return "", 204


def _json(suggestion: Suggestion) -> dict[str, object]:
    return {
        "suggestion_id": suggestion.suggestion_id,
        "category": suggestion.category,
        "key": suggestion.key,
        "value": suggestion.value,
        "confidence": suggestion.confidence,
        "importance": suggestion.importance,
        "source": {
            "conversation_id": suggestion.source_conversation_id,
            "sequence": suggestion.source_sequence,
        },
        "said_at": suggestion.said_at.isoformat(),
    }
