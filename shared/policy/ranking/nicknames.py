"""Read from talks what people are called in them: "Hey Kate!" is said to one named "emily84".

Messages that are imported have the names of accounts. A question has the name in use.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from shared.policy.folding import plain_letters

BEGINNING_CHARS = 60
MOST_UNKNOWN = 4  # words of a question that are looked up
FIRST_WORDS = 3  # "Good morning Kate": an address stands among them
LEAST_COUNT = 3  # messages that begin so
LEAST_SHARE = 0.9  # of them, to the same person
WORD = re.compile(r"(?<![\w'’-])[^\W\d_][\w-]*")


class Beginning(NamedTuple):
    """How a message begins that contains a word."""

    word: str
    #: The speaker of the message beside it, to whom it is said.
    listener: str
    text: str


def list_unknown_names(text: str, known: Collection[str]) -> list[str]:
    """The words of a question that may be a name, but for its first: those with a capital."""
    words = dict.fromkeys(match[0] for match in [*WORD.finditer(text)][1:])
    unknown = [word for word in words if len(word) > 1 and word[0].isupper() and word not in known]
    return unknown[:MOST_UNKNOWN]


def choose_nicknames(beginnings: Iterable[Beginning]) -> dict[str, str]:
    """The words that address a person, each with the name under which this one speaks."""
    listeners: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for beginning in beginnings:
        if is_address(plain_letters(beginning.text), beginning.word):
            listeners[beginning.word][beginning.listener] += 1
    return {
        word: name
        for word, counts in listeners.items()
        for name, count in counts.most_common(1)
        if count >= LEAST_COUNT and count >= LEAST_SHARE * counts.total()
    }


def is_address(text: str, word: str) -> bool:
    """Whether `word` is among the first words, and is not the first half of a longer name."""
    before = rf"\W*(?:[\w'’-]+\W+){{0,{FIRST_WORDS - 1}}}"
    match = re.match(rf"{before}{re.escape(word)}(?![\w'’-]) *(?P<next>\w?)", text)
    return match is not None and not match["next"].isupper()
