"""Links to chats: listed, made, revoked. What a link shows is in `shared_page`.

They are managed in a session, as API tokens are: whoever finds a token cannot publish a chat with
it, by a link that outlives the token.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

from flask import Blueprint, g
from pydantic import Field

from shared.access import shares as access
from shared.errors import ConflictError, ForbiddenError
from shared.models import ConversationId, Share
from shared.store import shares
from web.api.answers import Answer, Instant, Page
from web.api.cursors import cut_page
from web.api.operation import operation
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.forms import WHOLE, StrictForm
from web.requests.queries import Listing

blueprint = Blueprint("shares", __name__)

MAX_DAYS = 365
USUAL_DAYS = 7


class ShareForm(StrictForm):
    """A link to be made. Without `expires_in_days` (null) it does not expire."""

    expires_in_days: Annotated[int, Field(ge=1, le=MAX_DAYS), WHOLE] | None = USUAL_DAYS


class SharesQuery(Listing):
    DEFAULT = 100


class ShareAnswer(Answer):
    share_id: int
    conversation_id: str
    title: str | None = Field(description="Of the conversation.")
    preview: str = Field(description="The beginning of its first message.")
    until_sequence: int = Field(description="The last message that the link shows.")
    created_at: Instant
    expires_at: Instant | None


class NewShareAnswer(ShareAnswer):
    path: str = Field(description="Its address on this site, which is in no later answer.")


class SharePage(Page):
    shares: list[ShareAnswer]


@blueprint.get("/shares")
@needs("memory:read")
@operation()
def list_shares(query: SharesQuery) -> SharePage:
    """List links to chats, newest first, without expired ones."""
    _check_session()
    with transaction() as connection:
        entries = shares.list_shares(connection, g.user_id)
    page, after = cut_page(entries, query, lambda share: (-share.share_id,))
    return SharePage(
        shares=[ShareAnswer.model_validate(share_fields(share)) for share in page],
        next_cursor=after,
    )


@blueprint.post("/conversations/<conversation:conversation_id>/shares")
@needs("memory:write")
@operation(201, raises=(ConflictError,), once=True)
def make_share(conversation_id: ConversationId, form: ShareForm) -> tuple[NewShareAnswer, int]:
    """Make a link by which anybody may read the chat as far as it goes now.

    What is edited or deleted in it changes there, too. Later messages are not shown.
    """
    _check_session()
    if not web_context().services.settings.may_share:
        raise ForbiddenError("On this site chats are not shared.")
    days = form.expires_in_days
    expires_at = datetime.now(UTC) + timedelta(days=days) if days is not None else None
    with transaction() as connection:
        share, token = access.make_share(connection, g.user_id, conversation_id, expires_at)
    fields = share_fields(share) | {"path": f"/s/{token}"}
    return NewShareAnswer.model_validate(fields), 201


@blueprint.delete("/shares/<bigint:share_id>")
@needs("memory:write")
@operation(204)
def revoke_share(share_id: int) -> None:
    """Revoke a link to a chat. The next time it is opened there is nothing."""
    _check_session()
    with transaction() as connection:
        access.revoke_share(connection, g.user_id, share_id)


def share_fields(share: Share) -> dict[str, object]:
    return {
        "share_id": share.share_id,
        "conversation_id": share.conversation_id,
        "title": share.title,
        "preview": share.preview,
        "until_sequence": share.until_sequence,
        "created_at": share.created_at,
        "expires_at": share.expires_at,
    }


def _check_session() -> None:
    if g.caller.token_id is not None:
        raise ForbiddenError("Links are managed on the page, not with an API token.")
