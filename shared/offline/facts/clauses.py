"""Prepare a sentence for the grammar: expand contractions, split it into clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shared.offline.grammar import PATTERNS, regex

JOINT = re.compile(r"\s*[,;]\s*(?:(?:and|but|so)\s+)?|\s+(?:and|but|so)\s+", re.IGNORECASE)
OWN = re.compile(
    r"(?:(?:maybe|perhaps|probably|recently|yesterday|today|now|then) )?(?:i|we|my|our)\b", re.I
)
PERSON = re.compile(r"\b(?:i|we)\b", re.IGNORECASE)


def expand_contractions(sentence: str) -> str:
    """`I’ve just moved` → `I have moved`."""
    for pattern in PATTERNS["contractions"]:
        sentence = pattern.regex.sub(" ".join(pattern.fields), sentence)
    return sentence


def split_clauses(sentence: str) -> Iterator[str]:
    """`I am 34, live in Oslo and my dog is …` → `I am 34`, `I live in Oslo`, `my dog is …`.

    It splits only where another statement of the same person begins. "Cats and dogs" is not
    split, nor is "my sister lives in Rome and works there".
    """
    lead, begin = "", 0
    for joint in JOINT.finditer(sentence):
        clause = lead + sentence[begin : joint.start()]
        omitted = _omitted(clause, sentence[joint.end() :])
        if omitted is not None:
            yield clause
            lead, begin = omitted, joint.end()
    yield lead + sentence[begin:]


def _omitted(clause: str, rest: str) -> str | None:
    """The words that `rest` omits at its start; None when it is no statement of its own."""
    people = PERSON.findall(clause)
    if OWN.match(rest):
        return "" if people or OWN.match(clause) else None
    if people and regex("VERB").match(rest):
        return f"{people[-1]} "
    return f"{people[-1]} am " if people and regex("STATE").match(rest) else None
