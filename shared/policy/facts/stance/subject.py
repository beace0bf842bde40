"""Where a clause names the user, and where somebody else."""

from __future__ import annotations

import re
from typing import Literal

from shared.policy.facts.stance.patterns import Patterns

#: Whom a clause is about. `open`: the clause does not tell.
Subject = Literal["own", "other", "open"]
NEAR_CHARS = 16  # before a relation: "benim öğretmenim", 我老师
#: "As a teacher", "als Lehrer": before what the user is.
_AS = re.compile(r"(?<!\w)(?:as an?|als|en tant que|comme|como|come|jako|как)\s$")


def first_offset(pattern: re.Pattern[str], text: str) -> int:
    """The offset of the first match. Without a match, the length of the text."""
    match = pattern.search(text)
    return match.start() if match else len(text)


def own_offset(language: Patterns, piece: str) -> int:
    """The offset of the first word for the user ("I"). "my sister" is not such a word."""
    for match in language.first_person.finditer(piece):
        owns = language.possessive.match(piece, match.start())
        if not owns and not language.anybody.match(piece, match.end()):  # 我妹妹
            return match.start()
    return len(piece)


def other_offset(language: Patterns, piece: str) -> int:
    """The offset of the first word for somebody else who acts."""
    people = (
        match.start()
        for match in language.anybody.finditer(piece)
        if not _is_predicate(language, piece, match)
    )
    return min(first_offset(language.others, piece), next(people, len(piece)))


def _is_predicate(language: Patterns, piece: str, person: re.Match[str]) -> bool:
    """Whether the word says what the subject is: "as a teacher", "öğretmenim", "当老师"."""
    before = piece[max(0, person.start() - NEAR_CHARS) : person.start()]
    if _AS.search(before):
        return True
    may_end = language.table.ends_with_verb or language.table.is_unspaced
    is_last = not piece[person.end() : person.end() + NEAR_CHARS].strip(" .,!")
    return may_end and is_last and not language.first_person.search(before)
