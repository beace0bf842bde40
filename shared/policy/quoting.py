"""Messages of earlier conversations as the prompt tells them: by day, each with its speaker."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby

from shared.models import Quote
from shared.policy.role_names import reads_like_role

MAX_CHARS = 600  # of one message; a longer one is cut to where the question's words stand
ALIKE = 0.9  # share of words in common from which one message repeats another
SHORT_CHARS = 60  # a message that says little without the one before it

ROLE_NAMES = {"user": "User", "assistant": "Assistant"}


def drop_repeats(quotes: Sequence[Quote]) -> list[Quote]:
    """The first of those that say the same in the same words; `quotes` are best first."""
    kept: list[tuple[Quote, frozenset[str]]] = []
    for quote in quotes:
        words = frozenset(re.findall(r"\w+", quote.text.lower()))
        if not any(_share(words, other) >= ALIKE for _, other in kept):
            kept.append((quote, words))
    return [quote for quote, _ in kept]


def shorten(quote: Quote, words: Collection[str]) -> Quote:
    """At most `MAX_CHARS`, around the first of `words` (lexemes) that it holds."""
    text = quote.text
    if len(text) <= MAX_CHARS:
        return quote
    places = [text.lower().find(word) for word in words]
    first = min((place for place in places if place >= 0), default=0)
    start = max(0, min(first - MAX_CHARS // 3, len(text) - MAX_CHARS))
    cut = text[start : start + MAX_CHARS]
    ending = "…" if start + MAX_CHARS < len(text) else ""
    return replace(quote, text=("…" if start else "") + cut + ending)


def render_quotes(quotes: Iterable[Quote]) -> list[str]:
    """In order of time: a line a day, then a line a message."""
    ordered = sorted(quotes, key=_moment)
    lines: list[str] = []
    for day, said in groupby(ordered, key=day_line):
        lines += [day, *map(quote_line, said)]
    return lines


def quote_sizes(quotes: Sequence[Quote], count_tokens: Callable[[str], int]) -> list[int]:
    """Tokens of each; the first of a day bears its day's line."""
    days: set[str] = set()
    sizes = []
    for quote in quotes:
        day = day_line(quote)
        sizes.append(count_tokens(quote_line(quote)) + (0 if day in days else count_tokens(day)))
        days.add(day)
    return sizes


def day_line(quote: Quote) -> str:
    return f"{quote.said_at:%A, %Y-%m-%d}:"


def quote_line(quote: Quote) -> str:
    return f"- {_escape(_speaker(quote))}: {_escape(quote.text)}"


def _speaker(quote: Quote) -> str:
    """The name that the message was said under; one that reads like a role is called a name."""
    if quote.name is None:
        return ROLE_NAMES[quote.role]
    name = quote.name.replace(":", " ")
    return f"{name} (name of a {quote.role})" if reads_like_role(name) else name


def _moment(quote: Quote) -> tuple[datetime, str, int]:
    return quote.said_at, quote.conversation_id, quote.sequence_number


def _share(words: frozenset[str], other: frozenset[str]) -> float:
    return len(words & other) / len(words | other) if words or other else 1.0


def _escape(text: str) -> str:
    """One line that cannot close the block."""
    return html.escape(" ".join(text.split()), quote=False)
