"""Choose the turns that a prompt contains word for word: the newest rounds and the whole gap.

No summary covers the gap, so nothing is forgotten. The newest rounds are given even if a summary
covers them: "add a column to that table" needs the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby

from shared.models import Span, Turn
from shared.policy.budget import Room
from shared.policy.shortening import CountTokens, cut_middle, share_evenly

PER_MESSAGE_TOKENS = 4  # tokens that chat formats add to each message
MAX_UNANSWERED = 8  # the newest rounds that are always given if none of them has an answer


@dataclass(frozen=True, kw_only=True)
class Verbatim:
    """The chosen turns, from old to new. The only gaps between them are failed replies."""

    turns: tuple[Turn, ...] = ()
    #: The tokens of all turns together.
    tokens: int = 0
    #: Sequence numbers of the turns that were cut in the middle.
    shortened: tuple[int, ...] = ()
    #: The part of the gap that did not fit.
    left_out: Span | None = None

    @property
    def start(self) -> int:
        """The sequence number of the first turn. 0 without turns: so the first prompt begins."""
        return self.turns[0].seq if self.turns else 0

    def contains(self, sequence: int) -> bool:
        """Whether the turns contain the message, which must not be newer than the last turn."""
        return bool(self.turns) and sequence >= self.turns[0].seq


@dataclass(frozen=True, kw_only=True)
class _Round:
    """The turns of a round from old to new, with the tokens of each."""

    turns: tuple[Turn, ...]
    sizes: tuple[int, ...]

    @property
    def tokens(self) -> int:
        return sum(self.sizes)

    @property
    def newest(self) -> int:
        """The sequence number of its last turn."""
        return self.turns[-1].seq

    @property
    def is_answered(self) -> bool:
        return any(turn.role == "assistant" for turn in self.turns)


def choose_verbatim(
    newest_first: Iterable[Turn],
    gap_start: int,
    room: Room,
    count_tokens: CountTokens,
    start: int | None = None,
) -> Verbatim:
    """Choose whole rounds: those since `start`, the first turn of the last prompt, while they fit.

    So prompts begin alike, and older turns are dropped seldom and many at once. Otherwise all
    rounds of the gap are chosen, and the newest that fit into `room.recent`. The rounds since the
    last answered round, with that round, are always chosen. If they exceed `room.turns`, messages
    are cut in the middle. `newest_first` is read no further than needed.
    """
    rounds = _rounds(newest_first, gap_start if room.recent == 0 else 0, count_tokens)
    if start is None or room.recent == 0:
        return _choose_newest(rounds, gap_start, room, count_tokens)
    read = list(_read_since(rounds, min(start, gap_start), room.turns))
    for first in sorted({min(start, gap_start), start}):
        since = [chat_round for chat_round in read if chat_round.newest >= first]
        if since and sum(chat_round.tokens for chat_round in since) <= room.turns:
            left_out = Span(start=gap_start, end=first - 1) if gap_start < first else None
            return _fit(since, room.turns, left_out, count_tokens)
    return _choose_newest(chain(read, rounds), gap_start, room, count_tokens)


def _read_since(rounds: Iterable[_Round], first: int, most: int) -> Iterator[_Round]:
    """The rounds since message `first` and the one before it, but few more than `most` tokens."""
    tokens = 0
    for chat_round in rounds:
        yield chat_round
        tokens += chat_round.tokens
        if chat_round.newest < first or tokens > most:
            return


def _choose_newest(
    rounds: Iterable[_Round], gap_start: int, room: Room, count_tokens: CountTokens
) -> Verbatim:
    chosen: list[_Round] = []
    tokens, answered = 0, False
    for chat_round in rounds:
        in_gap = chat_round.newest >= gap_start
        is_wanted = in_gap or tokens + chat_round.tokens <= room.recent
        is_due = not answered and len(chosen) < MAX_UNANSWERED
        if not is_due and not (is_wanted and tokens + chat_round.tokens <= room.turns):
            if not in_gap:
                return _fit(chosen, room.turns, None, count_tokens)
            chosen = _newest_half(chosen, room)
            left_out = Span(start=gap_start, end=chosen[-1].turns[0].seq - 1)
            return _fit(chosen, room.turns, left_out, count_tokens)
        chosen.append(chat_round)
        tokens += chat_round.tokens
        answered = answered or chat_round.is_answered
    return _fit(chosen, room.turns, None, count_tokens)


def _newest_half(chosen: Sequence[_Round], room: Room) -> list[_Round]:
    """The newest rounds that fill half the room. The rest is for rounds to come.

    If the gap is too long, each prompt would begin differently otherwise.
    """
    most = room.turns if room.recent == 0 else max(room.recent, room.turns // 2)
    tokens, answered = 0, False
    for number, chat_round in enumerate(chosen):
        tokens += chat_round.tokens
        if answered and tokens > most:
            return list(chosen[:number])
        answered = answered or chat_round.is_answered
    return list(chosen)


def _rounds(
    newest_first: Iterable[Turn], first: int, count_tokens: CountTokens
) -> Iterable[_Round]:
    for _, group in groupby(newest_first, key=lambda turn: turn.seq // 2):
        turns = tuple(reversed([turn for turn in group if turn.seq >= first]))
        if not turns:
            return
        sizes = tuple(count_tokens(turn.content) + PER_MESSAGE_TOKENS for turn in turns)
        yield _Round(turns=turns, sizes=sizes)


def _fit(
    chosen: Sequence[_Round], room: int, left_out: Span | None, count_tokens: CountTokens
) -> Verbatim:
    rounds = list(reversed(chosen))
    turns = [turn for chat_round in rounds for turn in chat_round.turns]
    sizes = [size for chat_round in rounds for size in chat_round.sizes]
    if sum(sizes) <= room:
        return Verbatim(turns=tuple(turns), tokens=sum(sizes), left_out=left_out)
    shares = share_evenly(sizes, room)
    fitting = [
        turn if share == size else _shorten(turn, share, count_tokens)
        for turn, size, share in zip(turns, sizes, shares, strict=True)
    ]
    return Verbatim(
        turns=tuple(fitting),
        tokens=sum(count_tokens(turn.content) + PER_MESSAGE_TOKENS for turn in fitting),
        shortened=tuple(
            turn.seq for turn, size, share in zip(turns, sizes, shares, strict=True) if share < size
        ),
        left_out=left_out,
    )


def _shorten(turn: Turn, tokens: int, count_tokens: CountTokens) -> Turn:
    content = cut_middle(turn.content, tokens - PER_MESSAGE_TOKENS, count_tokens)
    return replace(turn, content=content)
