"""After a commit with events: wake those who wait for them.

An announcement that is lost delays events, and loses none: followers poll, and the sweep looks for
what is due.
"""

from __future__ import annotations

from shared.broker.sending import send_deliveries
from shared.ephemeral.news import Change, JobChange, tell_change, tell_job_change, tell_news
from shared.models import Claim, ConversationId, Kind, OpenRound, UserId
from shared.services import Services
from shared.store import webhooks

BATCH = 100


def announce(services: Services, user_id: UserId) -> None:
    """Wake the user's followers, and send tasks for webhooks. Call it after the commit."""
    tell_news(services.redis, user_id)
    send_due_webhooks(services, user_id)


def announce_change(services: Services, user_id: UserId, conversation_id: ConversationId) -> None:
    """Tell those who follow that a conversation has changed. Call it after the commit."""
    tell_change(services.redis, Change(user_id, conversation_id))


def announce_reply(services: Services, chat_round: OpenRound) -> None:
    """Tell those who follow that a reply has begun or ended. Call it after the commit."""
    conversation = chat_round.conversation
    change = Change(
        conversation.user_id,
        conversation.conversation_id,
        chat_round.sequence,
        chat_round.fencing_token,
    )
    tell_change(services.redis, change)


def announce_job(services: Services, kind: Kind, claim: Claim, *, is_running: bool) -> None:
    """Tell those who follow that work on a job has begun or ended. Call it after the commit."""
    change = JobChange(claim.user_id, claim.conversation_id, kind, is_running)
    tell_job_change(services.redis, change)


def send_due_webhooks(services: Services, user_id: UserId | None = None) -> None:
    """Send a task for each webhook that has something to deliver now: the user's, or (None) all."""
    with services.database.transaction() as connection:
        due = webhooks.list_due(connection, user_id, BATCH)
    send_deliveries(services.broker, due)
