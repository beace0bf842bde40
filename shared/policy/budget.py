"""Sharing out the prompt's tokens. What is cut is cut whole, and told.

The newest turns come first (`verbatim.py` chooses them); this file shares out what they leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# The most that each part may take of the whole.
TURNS_SHARE = 0.7
FACTS_SHARE = 0.25
QUOTES_TOKENS = 1000  # beyond that, what they add is mostly beside the point
ANSWER_SHARE = 0.25  # of the model's context that stays free for the answer


@dataclass(frozen=True, kw_only=True)
class Room:
    """`tokens` are there for memory and turns together, `recent` of them for the newest rounds.

    With `recent` 0 a prompt holds no more turns than the gap.
    """

    tokens: int = 8000
    recent: int = 3000

    @property
    def turns(self) -> int:
        return int(self.tokens * TURNS_SHARE)

    def without(self, taken: int) -> Room:
        return Room(tokens=max(0, self.tokens - taken), recent=self.recent)

    def halved(self) -> Room:
        """For a model that has called the prompt too long."""
        return Room(tokens=self.tokens // 2, recent=self.recent // 2)


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Tokens of each item; the summary's from old to new, the others best first."""

    facts: Sequence[int]
    summary: Sequence[int]
    episodes: Sequence[int]
    quotes: Sequence[int] = ()


@dataclass(frozen=True, kw_only=True)
class Allotment:
    """How many items of each part are given: the first facts, episodes and quotes, and the
    summary's points from the newest back. `tokens` is what they take together."""

    facts: int
    summary: int
    episodes: int
    quotes: int
    tokens: int


def room_for(
    *, ctx_tokens: int, recent_tokens: int, limit: int | None, answer: int | None, fixed: int
) -> Room:
    """What the settings allow, and never more than the model takes.

    `limit` is the model's context (None: unknown), `answer` what the reply may take of it (None:
    the usual share), `fixed` what the prompt holds in any case.
    """
    if limit is None:
        return Room(tokens=ctx_tokens, recent=recent_tokens)
    free = limit - fixed - (int(limit * ANSWER_SHARE) if answer is None else answer)
    return Room(tokens=max(0, min(ctx_tokens, free)), recent=recent_tokens)


def allot(sizes: Sizes, room: int, left: int) -> Allotment:
    """Facts first, then the summary, episodes, quotes.

    `room` is the whole, of which the shares are; `left` is what the turns have left of it.
    """
    spare = left = max(0, left)
    facts, spent = _take(sizes.facts, min(left, int(room * FACTS_SHARE)))
    left -= spent
    summary, spent = _take(list(reversed(sizes.summary)), left)
    left -= spent
    episodes, spent = _take(sizes.episodes, left)
    left -= spent
    quotes, spent = _take(sizes.quotes, min(left, QUOTES_TOKENS))
    left -= spent
    return Allotment(
        facts=facts, summary=summary, episodes=episodes, quotes=quotes, tokens=spare - left
    )


def _take(sizes: Sequence[int], room: int) -> tuple[int, int]:
    """How many of the first items fit, and what they take."""
    taken = 0
    for count, size in enumerate(sizes):
        if taken + size > room:
            return count, taken
        taken += size
    return len(sizes), taken
