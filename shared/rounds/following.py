"""Following a reply as it is written, here or in another web process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import dataclass

from shared.db import Database
from shared.models import ConversationId, Message, Outcome
from shared.rounds import endings
from shared.rounds.live_reply import LiveReply
from shared.store import messages

WAIT_S = 0.5  # how often a silent follower looks whether the process is stopping


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


async def follow_reply(
    live: LiveReply, offset: int, leaving: Callable[[], bool], pause_s: Callable[[], float]
) -> AsyncGenerator[Progress, None]:
    """Takes no thread while it waits. Ends with no outcome when `leaving()`, or none will come.

    What comes within `pause_s()` after a piece is joined to the next one.
    """
    while not leaving():
        news = live.read_after(offset)
        offset += len(news.text)
        yield Progress(text=news.text, offset=offset, outcome=news.outcome)
        if news.is_over:
            return
        if news:
            await asyncio.sleep(pause_s())
        if not live.read_after(offset):
            await _wait_for_news(live, offset)


def wait_for_outcome(live: LiveReply, leaving: Callable[[], bool]) -> Outcome | None:
    """In a thread. None when `leaving()`, or when none will come."""
    while not (leaving() or live.read_after(len(live.text)).is_over):
        live.wait(WAIT_S)
    return live.outcome


def closed_reply(message: Message) -> LiveReply:
    """What is in Postgres, for readers who come late."""
    live = LiveReply(message.conversation_id, message.sequence_number, message.fencing_token or 0)
    live.append(message.content)
    live.finish(endings.kept(message))
    return live


def find_reply(database: Database, conversation_id: ConversationId, sequence: int) -> Message:
    with database.transaction() as connection:
        return messages.get_message(connection, conversation_id, sequence)


async def _wait_for_news(live: LiveReply, offset: int) -> None:
    """For `WAIT_S` at most."""
    loop = asyncio.get_running_loop()
    woken = asyncio.Event()

    def wake() -> None:
        with suppress(RuntimeError):  # the loop has ended before the reply
            loop.call_soon_threadsafe(woken.set)

    live.call_on_news(offset, wake)
    with suppress(TimeoutError):
        async with asyncio.timeout(WAIT_S):
            await woken.wait()
