"""Notes: messages that are kept and learned from, and that no model answers.

They stand in one conversation of the user, or of the project that they are for, each followed by a
short fixed reply. So a note is found, summed up, exported and deleted as any other message. A file
that is kept for a project is a note, too.
"""

from __future__ import annotations

from dataclasses import dataclass

from shared.agents import DEFAULT_AGENT
from shared.db import PgConnection
from shared.models import ConversationId, Due, Outcome, UserId
from shared.rounds.closing import close_round
from shared.rounds.opening import open_round
from shared.rounds.requests import NewMessage
from shared.settings import Settings
from shared.store import conversations, messages, users

TITLE = "Notes"
#: What the note of a file says: no word that could be found, or learned from.
FILE_SIGN = "\N{PAPERCLIP}"
NOTED = Outcome(status="complete", content="Noted.", finish_reason="stop")


@dataclass(frozen=True, kw_only=True)
class Note:
    """Where a note is stored, and the jobs to send after the commit."""

    conversation_id: ConversationId
    sequence: int
    #: False: the newest note says the same, so nothing was written.
    is_new: bool
    due: tuple[Due, ...] = ()


def keep_note(
    connection: PgConnection,
    user_id: UserId,
    text: str,
    settings: Settings,
    project: str | None = None,
) -> Note:
    """Write a note, in the project of this name if there is one.

    The same text twice in a row is one note, so that sending again is safe.

    Raises `RoundInProgressError` while a reply is being written in the conversation of the notes.
    """
    users.ensure_user(connection, user_id)
    users.lock_user(connection, user_id)
    conversation = conversations.lock_notes(connection, user_id, TITLE, DEFAULT_AGENT, project)
    conversation_id = conversation.conversation_id
    newest = messages.find_message(connection, conversation_id, conversation.last_sequence - 1)
    if newest is not None and newest.content == text:
        return Note(conversation_id=conversation_id, sequence=newest.sequence_number, is_new=False)
    new = NewMessage(user_id=user_id, text=text, conversation_id=conversation_id)
    return _write(connection, new, settings)


def keep_file(
    connection: PgConnection,
    user_id: UserId,
    attachment_id: str,
    settings: Settings,
    project: str,
) -> Note:
    """Give an uploaded file to all chats of the project. The caller has locked the user.

    Raises `FileGoneError`, and `RoundInProgressError` as above.
    """
    conversation = conversations.lock_notes(connection, user_id, TITLE, DEFAULT_AGENT, project)
    new = NewMessage(
        user_id=user_id,
        text=FILE_SIGN,
        conversation_id=conversation.conversation_id,
        attachments=(attachment_id,),
    )
    return _write(connection, new, settings)


def _write(connection: PgConnection, new: NewMessage, settings: Settings) -> Note:
    chat_round = open_round(connection, new, settings)
    due = close_round(connection, chat_round.attempt, NOTED, settings)
    return Note(
        conversation_id=chat_round.conversation.conversation_id,
        sequence=chat_round.user_message.sequence_number,
        is_new=True,
        due=tuple(due or ()),
    )
