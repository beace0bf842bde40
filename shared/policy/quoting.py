"""Render messages of earlier conversations for a prompt: by day, each with its speaker."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from shared.models import Quote
from shared.policy.escaping import escape_line, escape_lines
from shared.policy.folding import plain_letters

ROLE_WORDS = frozenset({
    "admin", "administrator", "ai", "assistant", "bot", "developer", "function", "human", "model",
    "operator", "root", "system", "tool", "user",
})  # fmt: skip
LETTERS = re.compile(r"[^\W\d_]+")
INVISIBLE = frozenset({"Cf", "Mn"})  # zero-width characters and combining accents
# Letters of other scripts that look like Latin letters. Real names also have other letters.
LOOK_ALIKES = str.maketrans("аеіјорсухѕԁвмнткαεικνορτυ", "aeijopcyxsdbmhtkaeikvoptu")

MAX_CHARS = 450  # a longer message is cut to the part with most of the question's words
MAX_QUOTED_CHARS = 20_000  # so much of a message is searched for the question's words
LINE_CHARS = 160  # the same, where a question is about the whole time
BEFORE_SHARE = 1 / 6  # of a cut part, for what leads to the words
REPEAT_SHARE = 0.9  # two messages with this share of words in common are repeats


@dataclass(frozen=True, kw_only=True)
class Amount:
    """How much of the found messages a prompt quotes."""

    #: The number of messages, before the budget cuts some of them.
    messages: int
    #: Characters of each.
    chars: int
    #: For all quotes together.
    tokens: int
    #: Whether the assistant's replies are quoted.
    with_replies: bool

    def enlarged(self, tokens: int) -> Amount:
        """The amount for `tokens`, if they are more than a prompt here has for quotes."""
        if tokens <= self.tokens:
            return self
        return replace(
            self, tokens=tokens, messages=math.ceil(self.messages * tokens / self.tokens)
        )


FEW_WHOLE = Amount(messages=40, chars=MAX_CHARS, tokens=1000, with_replies=True)
#: For a question about the whole time: a line of each message of the user about it.
MANY_LINES = Amount(messages=120, chars=LINE_CHARS, tokens=2000, with_replies=False)

ROLE_NAMES = {"user": "User", "assistant": "Assistant"}


def drop_repeats(quotes: Sequence[Quote]) -> list[Quote]:
    """Keep the first of the quotes that use about the same words."""
    unique_quotes: list[tuple[Quote, int]] = []
    numbers: dict[str, int] = {}  # of the words
    for quote in quotes:
        words = 0  # a bit for each: quotes are compared pair by pair, hundreds of times a prompt
        for word in re.findall(r"\w+", quote.text.lower()):
            words |= 1 << numbers.setdefault(word, len(numbers))
        if not any(_is_repeat(words, other) for _, other in unique_quotes):
            unique_quotes.append((quote, words))
    return [quote for quote, _ in unique_quotes]


def shorten(quote: Quote, words: Mapping[str, float], chars: int = MAX_CHARS) -> Quote:
    """Cut a long quote to `chars` where most of `words` (lexemes) stand, by their weights.

    A quote that is to be short is put on one line.
    """
    if len(quote.text) > chars:
        before = int(BEFORE_SHARE * chars)
        first = _find_most(plain_letters(quote.text).lower(), words, chars - before)
        start = min(first - before, len(quote.text) - chars)
        quote = cut(quote, start if start > before else 0, chars)
    return replace(quote, text=" ".join(quote.text.split())) if chars <= LINE_CHARS else quote


def cut(quote: Quote, start: int, chars: int = MAX_CHARS) -> Quote:
    """The part of a message that begins at `start`, with a mark where the message goes on."""
    part = quote.text[start : start + chars]
    ending = "…" if start + chars < len(quote.text) else ""
    return replace(quote, text=("…" if start else "") + part + ending, start=start)


def _find_most(text: str, words: Mapping[str, float], chars: int) -> int:
    """Where the `chars` characters begin that have most of the words; 0 if there are none."""
    pattern = re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))) or r"(?!)")
    hits = [(match.start(), match[0]) for match in pattern.finditer(text)]
    counts: Counter[str] = Counter()  # of the hits from one on, as far as the characters reach
    most, place, end = 0.0, 0, 0
    for position, word in hits:
        while end < len(hits) and hits[end][0] < position + chars:
            counts[hits[end][1]] += 1
            end += 1
        weight = sum(words[each] for each in counts)
        if weight > most:
            most, place = weight, position
        counts[word] -= 1
        if not counts[word]:
            del counts[word]
    return place


def render_quotes(quotes: Iterable[Quote]) -> list[str]:
    """From old to new: a line for each day, followed by a line for each message of that day."""
    ordered = sorted(
        quotes, key=lambda quote: (quote.said_at, quote.conversation_id, quote.sequence_number)
    )
    lines: list[str] = []
    for day, quotes_of_day in groupby(ordered, key=day_line):
        lines += [day, *map(quote_line, quotes_of_day)]
    return lines


def quote_sizes(quotes: Sequence[Quote], count_tokens: Callable[[str], int]) -> list[int]:
    """Tokens of each quote. The line of a day counts for its first quote."""
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
    return f"- {escape_line(_speaker(quote))}: {escape_lines(quote.text)}"


def _speaker(quote: Quote) -> str:
    """The speaker's name, or the role. A name that reads like a role is marked as a name."""
    if quote.name is None:
        return ROLE_NAMES[quote.role]
    name = quote.name.replace(":", " ")
    article = "an" if quote.role == "assistant" else "a"
    return f"{name} (name of {article} {quote.role})" if reads_like_role(name) else name


def _is_repeat(words: int, other: int) -> bool:
    return (words & other).bit_count() >= REPEAT_SHARE * (words | other).bit_count()


def reads_like_role(name: str) -> bool:
    """Whether a name could pass for a role ("System"), even with look-alike letters.

    A word of it, or all its letters together, is then the name of a role.
    """
    plain = unicodedata.normalize("NFKD", name).casefold().translate(LOOK_ALIKES)
    visible_name = "".join(sign for sign in plain if unicodedata.category(sign) not in INVISIBLE)
    words = LETTERS.findall(visible_name)
    return not ROLE_WORDS.isdisjoint((*words, "".join(words)))
