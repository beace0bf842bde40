"""What a user may change of a conversation: its title and its mode."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from flask import Blueprint, Response, g, jsonify, request
from pydantic import BaseModel, ConfigDict, Field

from shared.errors import ConflictError, InvalidRequestError
from shared.models import ConversationId, Mode
from shared.policy.text import is_storable
from shared.store import conversations
from web.context import transaction
from web.forms import read_form

blueprint = Blueprint("editing", __name__, url_prefix="/api/conversations")

MAX_TITLE_CHARS = 200


class ChangeForm(BaseModel):
    """`PATCH /api/conversations/{conversation_id}`. A title of null takes the title away."""

    model_config = ConfigDict(strict=True, extra="forbid")

    title: Annotated[str, Field(max_length=MAX_TITLE_CHARS)] | None = None
    mode: Mode | None = None


@blueprint.patch("/<uuid:conversation_id>")
def change_conversation(conversation_id: UUID) -> Response:
    """What is not named stays."""
    form = read_form(request, ChangeForm)
    title = _check_title(form.title)
    own_id = ConversationId(str(conversation_id))
    with transaction() as connection:
        held = conversations.lock_conversation(connection, g.user_id, own_id)
        _check_mode(held.mode, form.mode)
        changed = conversations.change_conversation(
            connection,
            g.user_id,
            own_id,
            title=title if "title" in form.model_fields_set else held.title,
            mode=form.mode or held.mode,
        )
    return jsonify(conversation_id=own_id, title=changed.title, mode=changed.mode)


def _check_mode(held: Mode, wanted: Mode | None) -> None:
    """What is said off the record stays there, so that mode is chosen once, at the start."""
    if wanted not in {None, held} and "off" in {held, wanted}:
        raise ConflictError("Off the record is chosen when a conversation begins.")


def _check_title(title: str | None) -> str | None:
    if title is None:
        return None
    if not title.strip() or not is_storable(title):
        raise InvalidRequestError("title: is empty, or holds characters that cannot be stored.")
    return title.strip()
