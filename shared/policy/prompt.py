"""Build the prompt of one round, and its trace. What changes least stands first.

A provider or a server that has read the same beginning before need not read it again. So the order
is: the agent, the standing facts, the summary, the day, the turns, and last, before the new
message's words, what was looked up for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Literal

from shared.models.attachments import AttachedFile
from shared.models.clients import ClientMessage
from shared.policy.attachments.quoted import passage_sizes
from shared.policy.budget import Allotment, Room, Sizes, allot
from shared.policy.local_time import to_local
from shared.policy.memory_block import (
    HEADINGS,
    MEMORY_INTRO_ELSEWHERE,
    WITHHELD,
    clock_line,
    day_line,
    episode_line,
    fact_line,
    point_line,
    render_context,
    render_days_between,
    render_front,
    render_memory,
)
from shared.policy.quoting import quote_sizes
from shared.policy.recalled import Recalled
from shared.policy.shortening import CountTokens
from shared.policy.trace import describe_prompt
from shared.policy.verbatim import choose_verbatim

PromptRole = Literal["system", "user", "assistant"]

DAYS_BETWEEN_SHARE = 1 / 3  # of what is left beside the turns; if they take more, quotes do better


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The parts of a prompt that do not depend on memory."""

    agent_prompt: str
    #: In the user's time zone. All days in the prompt are in this time zone.
    now: datetime
    #: The message to answer.
    current: str
    #: The user asks in it not to remember something, or to forget something.
    is_withheld: bool = False


@dataclass(frozen=True, kw_only=True)
class Prompt:
    #: Each message is (role, content).
    messages: tuple[tuple[PromptRole, str], ...]
    #: JSON: what was given and what was cut. It has ids instead of texts, so that it keeps no
    #: deleted text. The only words in it are the misspelt words of the question.
    trace: dict[str, object]
    #: Messages of a client in OpenAI's form, instead of `messages`.
    raw: tuple[ClientMessage, ...] = ()
    #: Images that belong to the message to answer.
    images: tuple[AttachedFile, ...] = ()


def build_prompt(frame: Frame, recalled: Recalled, room: Room, count_tokens: CountTokens) -> Prompt:
    """Build the prompt from what fits into `room`."""
    memory, trace = fit_memory(frame.now, recalled, room, count_tokens)
    parts = (frame.agent_prompt.strip(), render_front(memory), day_line(frame.now))
    system = "\n\n".join(part for part in parts if part)
    turns = tuple((turn.role, turn.content) for turn in memory.verbatim.turns)
    clock = clock_line(frame.now, frame.current)
    context = render_context(memory, clock, WITHHELD if frame.is_withheld else "")
    return Prompt(
        messages=(("system", system), *turns, ("user", context + frame.current)),
        trace=trace,
    )


def fit_memory(
    now: datetime, recalled: Recalled, room: Room, count_tokens: CountTokens
) -> tuple[Recalled, dict[str, object]]:
    """What fits into `room`, and the trace. If the turns do not fit, fewer are chosen.

    All days are in the time zone of `now`.
    """
    fitting = _without_repeats(_fit_turns(recalled, room, count_tokens))
    candidates = _in_zone(now.tzinfo, fitting)
    left = room.tokens - candidates.verbatim.tokens
    candidates, left = _reserve_days_between(candidates, left, count_tokens)
    allotment = allot(_sizes(candidates, count_tokens), room.tokens, left)
    memory = _keep(candidates, allotment)
    return memory, describe_prompt(candidates, memory, allotment, room)


def build_memory(
    recalled: Recalled, zone: tzinfo, tokens: int, count_tokens: CountTokens
) -> tuple[str, Recalled]:
    """A `<memory>` block for a model elsewhere, and what it holds. At most about `tokens` long.

    The text is empty if nothing is remembered, or if nothing fits.
    """
    left = tokens - count_tokens("\n\n".join((MEMORY_INTRO_ELSEWHERE, *HEADINGS, "<memory>")))
    candidates, left = _reserve_days_between(_in_zone(zone, recalled), left, count_tokens)
    memory = _keep(candidates, allot(_sizes(candidates, count_tokens), tokens, left))
    return render_memory(memory), memory


def _reserve_days_between(
    recalled: Recalled, left: int, count_tokens: CountTokens
) -> tuple[Recalled, int]:
    """The recalled, and the tokens left beside the days between dates, which need few of them."""
    size = count_tokens(render_days_between(recalled))
    if size > DAYS_BETWEEN_SHARE * left:
        return replace(recalled, days_between=()), left
    return recalled, left - size


def _keep(recalled: Recalled, allotment: Allotment) -> Recalled:
    return replace(
        recalled,
        facts=recalled.facts[: allotment.facts],
        episodes=recalled.episodes[: allotment.episodes],
        quotes=recalled.quotes[: allotment.quotes],
        passages=recalled.passages[: allotment.passages],
        points=recalled.points[len(recalled.points) - allotment.summary :],
    )


def _fit_turns(recalled: Recalled, room: Room, count_tokens: CountTokens) -> Recalled:
    if recalled.verbatim.tokens <= room.turns:
        return recalled
    newest_first = reversed(recalled.verbatim.turns)
    fitting = choose_verbatim(newest_first, recalled.gap_start, room, count_tokens)
    return replace(recalled, verbatim=fitting)


def _in_zone(zone: tzinfo | None, recalled: Recalled) -> Recalled:
    def local(instant: datetime) -> datetime:
        return to_local(instant, zone)

    return replace(
        recalled,
        facts=[replace(fact, valid_from=local(fact.valid_from)) for fact in recalled.facts],
        episodes=[
            replace(episode, started_at=local(episode.started_at)) for episode in recalled.episodes
        ],
        quotes=[replace(quote, said_at=local(quote.said_at)) for quote in recalled.quotes],
        passages=[
            replace(passage, sent_at=local(passage.sent_at)) for passage in recalled.passages
        ],
    )


def _without_repeats(recalled: Recalled) -> Recalled:
    """Leave out the summary's points about messages that the prompt contains word for word."""
    others = [point for point in recalled.points if not recalled.verbatim.contains(point.first)]
    return replace(recalled, points=others)


def _sizes(recalled: Recalled, count_tokens: CountTokens) -> Sizes:
    return Sizes(
        facts=[count_tokens(fact_line(fact)) for fact in recalled.facts],
        summary=[count_tokens(point_line(point)) for point in recalled.points],
        episodes=[count_tokens(episode_line(episode)) for episode in recalled.episodes],
        quotes=quote_sizes(recalled.quotes, count_tokens),
        quote_tokens=recalled.quote_tokens,
        passages=passage_sizes(recalled.passages, count_tokens),
    )
