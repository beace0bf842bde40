"""Following a reply as it is written, here or in another web process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import dataclass

from shared.models import Message, Outcome
from shared.policy.reasoning import RETRACTION
from shared.rounds import outcomes
from shared.rounds.live_reply import LiveReply

END_OF_REASONING = "</think>\n\n"
WAIT_S = 0.5  # the interval at which a waiting follower checks whether the process stops


@dataclass(frozen=True, kw_only=True)
class Progress:
    """One step of a reply. The last step has the outcome."""

    #: The new text; empty if nothing has come for `WAIT_S`.
    text: str
    #: Where `text` ends in the reply.
    offset: int
    outcome: Outcome | None = None
    #: What the model thinks. A follower gets it from its beginning, wherever the text begins.
    reasoning: str = ""
    #: How long it has thought so far.
    reasoning_ms: int | None = None
    #: All text before was reasoning; it and all other reasoning come once more, as `reasoning`.
    begins_anew: bool = False

    @property
    def appended_text(self) -> str:
        """For readers who cannot drop what they have: the mark that the model wrote stays."""
        return END_OF_REASONING + self.text if self.begins_anew else self.text


@dataclass(frozen=True, kw_only=True)
class Position:
    """How far a client has read, and in which attempt."""

    attempt: str
    offset: int


async def follow_reply(
    live: LiveReply, offset: int, leaving: Callable[[], bool], pause_s: Callable[[], float]
) -> AsyncGenerator[Progress, None]:
    """Follow a reply without holding a thread.

    Ends without an outcome when `leaving()` is true, or when another attempt takes over the reply.
    After each step it sleeps for `pause_s()` seconds, so that small pieces are joined. The end of
    the reply wakes it.
    """
    over = asyncio.Event()
    live.call_at_end(_waking(over))
    reasoning_offset = 0
    while not leaving():
        news = live.read_after(offset, reasoning_offset)
        _, is_retracted, text = news.text.rpartition(RETRACTION)
        reasoning = live.reasoning if is_retracted else news.reasoning
        reasoning_offset = len(reasoning) if is_retracted else reasoning_offset + len(reasoning)
        begins_anew = bool(is_retracted) and offset > 0
        offset += len(news.text)
        yield Progress(
            text=text,
            offset=offset,
            outcome=news.outcome,
            reasoning=reasoning,
            reasoning_ms=live.reasoning_ms,
            begins_anew=begins_anew,
        )
        if news.is_over:
            return
        if news:
            await _wait(over, pause_s())
        if not live.read_after(offset, reasoning_offset):
            await _wait_for_news(live, offset, reasoning_offset)


def wait_for_outcome(live: LiveReply, leaving: Callable[[], bool]) -> Outcome | None:
    """Wait for the outcome. None: `leaving()` is true, or this process gets no outcome."""
    while not (leaving() or live.read_after(len(live.history)).is_over):
        live.wait(WAIT_S)
    return live.outcome


def closed_reply(message: Message) -> LiveReply:
    """A reply from the database, as a `LiveReply` for followers."""
    live = LiveReply(message.attempt, message.content)
    live.finish(outcomes.stored(message))
    return live


async def _wait_for_news(live: LiveReply, offset: int, reasoning_offset: int) -> None:
    """Wait at most `WAIT_S`."""
    news = asyncio.Event()
    live.call_on_news(offset, _waking(news), reasoning_offset=reasoning_offset)
    await _wait(news, WAIT_S)


def _waking(event: asyncio.Event) -> Callable[[], None]:
    """A function for other threads that sets the event."""
    loop = asyncio.get_running_loop()

    def wake() -> None:
        with suppress(RuntimeError):  # the loop ended before the reply
            loop.call_soon_threadsafe(event.set)

    return wake


async def _wait(event: asyncio.Event, timeout_s: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(timeout_s):
            await event.wait()
