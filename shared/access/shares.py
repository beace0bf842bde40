"""Links by which anybody may read a chat: made, looked up, and revoked.

A link's token is 256 random bits in base64url. Only its SHA-256 is stored, as of API tokens: nobody
can guess 256 bits, and a look-up by hash compares in constant time.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import datetime

from shared.access.audit import record
from shared.db import PgConnection
from shared.errors import ConflictError
from shared.models import ConversationId, NewShare, OpenedShare, Share, Thing, UserId
from shared.store import conversations, shares, users

RANDOM_BYTES = 32
MAX_SHARES = 200  # of one user, so that nobody fills the table

_FORM = re.compile(r"[A-Za-z0-9_-]{43}")


def make_share(
    connection: PgConnection,
    user_id: UserId,
    conversation_id: ConversationId,
    expires_at: datetime | None,
) -> tuple[Share, str]:
    """Make a link to what the chat says until now. Returns it with its token.

    Raises `NotFoundError`, also for another user's chat, and `ConflictError` at `MAX_SHARES`, or
    before the chat's first reply.
    """
    users.ensure_user(connection, user_id)  # also keeps two requests from passing the limit at once
    conversation = conversations.get_conversation(connection, user_id, conversation_id)
    if conversation.last_sequence < 0:
        raise ConflictError("Nothing was answered in this chat yet.")
    if shares.count_shares(connection, user_id) >= MAX_SHARES:
        raise ConflictError(f"You have {MAX_SHARES} links. Revoke one of them first.")
    token = secrets.token_urlsafe(RANDOM_BYTES)
    new = NewShare(
        user_id=user_id,
        conversation_id=conversation_id,
        token_hash=_hash(token),
        until_sequence=conversation.last_sequence,
        expires_at=expires_at,
    )
    share = shares.add_share(connection, new)
    record(connection, "share.create", user_id, Thing("share", str(share.share_id)))
    return share, token


def open_share(connection: PgConnection, token: str) -> OpenedShare | None:
    """Find what a link shows. None: it is unknown, revoked or expired, or its account disabled."""
    return shares.find_share(connection, _hash(token)) if _FORM.fullmatch(token) else None


def revoke_share(connection: PgConnection, user_id: UserId, share_id: int) -> None:
    """Revoke a link. Raises `NotFoundError`, also for a link of another user."""
    shares.delete_share(connection, user_id, share_id)
    record(connection, "share.revoke", user_id, Thing("share", str(share_id)))


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
