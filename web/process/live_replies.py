"""Replies of the user's own conversations, closed or being written."""

from __future__ import annotations

from flask import g

from shared.models import ConversationId, Message
from shared.rounds.followers import closed_reply
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
