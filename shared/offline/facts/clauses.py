"""A sentence as the grammar reads it: contractions written out, one statement a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shared.offline.grammar import FORMS, word

JOINT = re.compile(r"\s*[,;]\s*(?:(?:and|but|so)\s+)?|\s+(?:and|but|so)\s+", re.IGNORECASE)
OWN = re.compile(
    r"(?:(?:maybe|perhaps|probably|recently|yesterday|today|now|then) )?(?:i|we|my|our)\b", re.I
)
PERSON = re.compile(r"\b(?:i|we)\b", re.IGNORECASE)


def write_out(sentence: str) -> str:
    """`I’ve just moved` → `I have moved`."""
    for form in FORMS["written out"]:
        sentence = form.says.sub(" ".join(form.heads), sentence)
    return sentence


def split_clauses(sentence: str) -> Iterator[str]:
    """`I am 34, live in Oslo and my dog is …` → `I am 34`, `I live in Oslo`, `my dog is …`.

    Only where another statement of the same person begins: "cats and dogs" stays together, and
    so does "my sister lives in Rome and works there".
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
    """What `rest` leaves out at its beginning; None where it is no statement of its own."""
    people = PERSON.findall(clause)
    if OWN.match(rest):
        return "" if people or OWN.match(clause) else None
    if people and word("VERB").match(rest):
        return f"{people[-1]} "
    return f"{people[-1]} am " if people and word("STATE").match(rest) else None
