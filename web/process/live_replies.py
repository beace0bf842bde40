"""Replies of the user's own conversations, closed or being written."""

from __future__ import annotations

from flask import g

from shared.errors import TransientError
from shared.models import ConversationId, Message, Outcome
from shared.rounds.followers import closed_reply, wait_for_outcome
from shared.rounds.live_reply import LiveReply
from shared.store import conversations, messages
from web.process.context import transaction, web_context


def get_reply(conversation_id: ConversationId, sequence: int) -> Message:
    """The user's reply. Raises `NotFoundError`, also for somebody else's conversation."""
    with transaction() as connection:
        conversations.get_conversation(connection, g.user_id, conversation_id)
        return messages.get_message(connection, conversation_id, sequence)


def find_live(message: Message) -> LiveReply:
    """The reply, whether it is closed or being written, by this process or another one."""
    if message.status != "streaming":
        return closed_reply(message)
    context = web_context()
    return context.runner.find_live(message.attempt) or context.mirrors.find(
        message.attempt, g.user_id
    )


def wait_for_reply(live: LiveReply, *, is_stored: bool = True) -> Outcome:
    """Wait for the end of a reply, whichever attempt writes it.

    Raises `TransientError` when the server stops meanwhile.
    """
    attempt, leaving = live.attempt, web_context().leaving.is_set
    outcome = wait_for_outcome(live, leaving)
    while outcome is None and is_stored and not leaving():
        # a later attempt is writing it, perhaps elsewhere
        live = find_live(get_reply(attempt.conversation_id, attempt.sequence))
        outcome = wait_for_outcome(live, leaving)
    if outcome is None:
        raise TransientError("The server is restarting; the reply will be kept.")
    return outcome
