"""Following a reply, from any web process, at any time: live, from Redis, or from Postgres."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from shared.db import Database
from shared.models import ConversationId, Message, Outcome
from shared.rounds import endings
from shared.rounds.live import LiveReply
from shared.rounds.running import RoundRunner
from shared.store import messages

WAIT_S = 0.5


@dataclass(frozen=True, kw_only=True)
class Progress:
    """More text (perhaps none: a sign of life), where it ends, and in the end the outcome."""

    text: str
    offset: int
    outcome: Outcome | None = None


@dataclass(frozen=True, kw_only=True)
class Position:
    """How far a client has read, and of which try."""

    fencing_token: int
    offset: int


def follow_live(live: LiveReply, offset: int, leaving: Callable[[], bool]) -> Iterator[Progress]:
    """Read along in the process that writes.

    Ends early, with no outcome, when `leaving()` and when the reply is being written anew.
    """
    while not leaving():
        text, outcome = live.read_from(offset, WAIT_S)
        offset += len(text)
        yield Progress(text=text, offset=offset, outcome=outcome)
        if outcome is not None or live.is_superseded:
            return


def follow_elsewhere(
    database: Database,
    runner: RoundRunner,
    message: Message,
    offset: int,
    leaving: Callable[[], bool],
) -> Iterator[Progress]:
    """Read along through Redis; Postgres says when it is over, and has the text without Redis."""
    token = message.fencing_token or 0
    log = runner.reply_log(message.conversation_id, message.sequence_number)
    while not leaving():
        text = log.read_after(token, offset, int(WAIT_S * 1000))
        if text:
            offset += len(text)
            yield Progress(text=text, offset=offset)
            continue
        now = find_reply(database, message.conversation_id, message.sequence_number)
        if now.fencing_token != token:
            return  # it is being written anew: the client comes again and starts over
        if now.status != "streaming":
            yield finished(now, offset)
            return
        yield Progress(text="", offset=offset)
        if text is None:
            time.sleep(WAIT_S)


def finished(message: Message, offset: int) -> Progress:
    """The rest of a closed reply."""
    text = message.content
    return Progress(text=text[offset:], offset=len(text), outcome=endings.kept(message))


def find_reply(database: Database, conversation_id: ConversationId, sequence: int) -> Message:
    with database.transaction() as connection:
        return messages.get_message(connection, conversation_id, sequence)
