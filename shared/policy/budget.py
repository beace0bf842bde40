"""Divide a prompt's tokens between its parts. An item is given whole or left out.

The newest turns are chosen first (`verbatim.py`). This module divides the remaining tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# Upper limits of the parts; a share is of all tokens of memory and turns.
TURNS_SHARE = 0.7
FACTS_SHARE = 0.25
PASSAGES_TOKENS = 700  # of files
PASSAGES_SHARE = 0.4  # of what quotes and passages have together; the rest is for quotes
ANSWER_SHARE = 0.25  # of the model's context, kept free for the answer


@dataclass(frozen=True, kw_only=True)
class Room:
    """How many tokens a prompt has for memory and turns."""

    #: For memory and turns together.
    tokens: int = 8000
    #: The part of `tokens` for the newest rounds. 0: only rounds in the gap are given.
    recent: int = 3000

    @property
    def turns(self) -> int:
        """The most that all turns may take."""
        return int(self.tokens * TURNS_SHARE)

    def without(self, tokens: int) -> Room:
        return Room(tokens=max(0, self.tokens - tokens), recent=self.recent)

    def halved(self) -> Room:
        """Half the room, for a model that refused the prompt as too long."""
        return Room(tokens=self.tokens // 2, recent=self.recent // 2)


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Tokens of each item. The summary's points are from old to new; other items best first."""

    facts: Sequence[int]
    summary: Sequence[int]
    episodes: Sequence[int]
    quotes: Sequence[int] = ()
    #: The most that all quotes may take: further ones seldom answer.
    quote_tokens: int = 1000
    #: Of files.
    passages: Sequence[int] = ()


@dataclass(frozen=True, kw_only=True)
class Allotment:
    """How many items of each part fit: the newest points of the summary, else the first items."""

    facts: int
    summary: int
    episodes: int
    quotes: int
    passages: int
    #: The tokens of all these items together.
    tokens: int


def room_for(
    *, ctx_tokens: int, recent_tokens: int, limit: int | None, answer: int | None, fixed: int
) -> Room:
    """The room that the settings and the model's context allow. All arguments are in tokens.

    `limit` is the context (None: unknown), `answer` the longest reply (None: `ANSWER_SHARE`), for
    which half the context is kept free at most, `fixed` the part for the instructions and the new
    message.
    """
    if limit is None:
        return Room(tokens=ctx_tokens, recent=recent_tokens)
    reply = int(limit * ANSWER_SHARE) if answer is None else min(answer, limit // 2)
    return Room(tokens=max(0, min(ctx_tokens, limit - fixed - reply)), recent=recent_tokens)


def allot(sizes: Sizes, room: int, left: int) -> Allotment:
    """Give tokens to facts first, then to the summary and episodes, then to quotes and passages.

    Passages of files get at most a share of what is left for quotes: no file fills a prompt.
    `room` is the tokens for memory and turns, `left` the tokens that remain after the turns.
    """
    spare = left = max(0, left)
    facts, spent = _take(sizes.facts, min(left, int(room * FACTS_SHARE)))
    left -= spent
    # What turns may take is not the summary's, so that it stays the same while they become more.
    beside_turns = int(room * (1 - TURNS_SHARE)) - spent
    summary, spent = _take(list(reversed(sizes.summary)), min(left, beside_turns))
    left -= spent
    episodes, spent = _take(sizes.episodes, left)
    left -= spent
    passages, spent = _take(sizes.passages, min(int(left * PASSAGES_SHARE), PASSAGES_TOKENS))
    left -= spent
    quotes, spent = _take(sizes.quotes, min(left, sizes.quote_tokens))
    left -= spent
    return Allotment(
        facts=facts,
        summary=summary,
        episodes=episodes,
        quotes=quotes,
        passages=passages,
        tokens=spare - left,
    )


def _take(sizes: Sequence[int], room: int) -> tuple[int, int]:
    """How many items fit, from the first on, and their tokens."""
    tokens = 0
    for count, size in enumerate(sizes):
        if tokens + size > room:
            return count, tokens
        tokens += size
    return len(sizes), tokens
