"""Sharing out the prompt's tokens. What is cut is cut whole, and told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# The most that each part may take while others wait; what is left over goes to the gap again.
FACTS_SHARE = 0.25
GAP_SHARE = 0.6
QUOTES_TOKENS = 1000  # beyond that, what they add is mostly beside the point
# The newest round is given always: a question about what was just said must find it.
ALWAYS_GIVEN_TURNS = 2


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Tokens of each item, in the order of the prompt: gap from old to new."""

    facts: Sequence[int]
    gap: Sequence[int]
    summary: Sequence[int]
    episodes: Sequence[int]
    quotes: Sequence[int] = ()


@dataclass(frozen=True, kw_only=True)
class Allotment:
    """How many items of each part are given: the first facts, points from the newest back,
    the first episodes and quotes, and the newest turns of the gap."""

    facts: int
    gap: int
    summary: int
    episodes: int
    quotes: int
    tokens: int


def allot(sizes: Sizes, budget: int) -> Allotment:
    """Facts first, then the newest of the gap, the summary, episodes, quotes, more of the gap."""
    always = sum(sizes.gap[-ALWAYS_GIVEN_TURNS:])
    left = room = max(0, budget - always)
    facts, spent = _take(sizes.facts, min(left, int(budget * FACTS_SHARE)))
    left -= spent
    older = list(reversed(sizes.gap))[ALWAYS_GIVEN_TURNS:]
    gap, spent = _take(older, min(left, max(0, int(budget * GAP_SHARE) - always)))
    left -= spent
    summary, spent = _take(list(reversed(sizes.summary)), left)
    left -= spent
    episodes, spent = _take(sizes.episodes, left)
    left -= spent
    quotes, spent = _take(sizes.quotes, min(left, QUOTES_TOKENS))
    left -= spent
    more, spent = _take(older[gap:], left)
    left -= spent
    return Allotment(
        facts=facts,
        gap=min(len(sizes.gap), ALWAYS_GIVEN_TURNS) + gap + more,
        summary=summary,
        episodes=episodes,
        quotes=quotes,
        tokens=always + room - left,
    )


def _take(sizes: Sequence[int], room: int) -> tuple[int, int]:
    """How many of the first items fit, and what they take."""
    taken = 0
    for count, size in enumerate(sizes):
        if taken + size > room:
            return count, taken
        taken += size
    return len(sizes), taken
