"""Splits a text into sentences, and a sentence into clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from shared.policy.facts.stance.patterns import COMMAS, Patterns

#: The word before a clause: "but", "because", or another one or none.
Link = Literal["but", "cause", ""]

_ABBREVIATION = (
    r"(?<!\b[dm]r)(?<!\bmrs)(?<!\bms)(?<!\bst)(?<!\bca)(?<!\bbzw)(?:(?<!\b[a-z])|(?<=\d [a-z]))"
)
_END = re.compile(
    rf"{_ABBREVIATION}\.+(?!\w)|[!?。！？؟।\n]+|(?<=\d)\.(?=\s|$)|(?<=[\u0370-\u03ff\u1f00-\u1fff]);"
)
_QUESTION = re.compile(r"[?？؟;]")  # Greek asks by a semicolon


def split_sentences(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences, each with whether it is a question."""
    start = 0
    for match in _END.finditer(text):
        if text[start : match.start()].strip():
            yield text[start : match.start()].strip(), bool(_QUESTION.search(match[0]))
        start = match.end()
    if text[start:].strip():
        yield text[start:].strip(), False


def split_clauses(sentence: str, languages: tuple[Patterns, ...]) -> Iterator[tuple[str, Link]]:
    """The clauses of a sentence, each with the kind of word that introduces it."""
    breaks = languages[0].breaks if languages else re.compile(rf"{COMMAS}|:\s")
    start = 0
    link: Link = ""
    whole = [match.span() for each in languages for match in each.mocks.finditer(sentence)]
    for match in breaks.finditer(sentence):
        if any(first < match.start() < last for first, last in whole):
            continue  # "tout sauf"
        if sentence[start : match.start()].strip():
            yield sentence[start : match.start()].strip(), link
            link = ""
        groups = match.groupdict()
        link = "but" if groups.get("but") else "cause" if groups.get("cause") else link
        start = match.end()
    if sentence[start:].strip():
        yield sentence[start:].strip(), link
