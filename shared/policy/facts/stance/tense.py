"""Judges when a clause says that a value holds: now, until a day, or at another time."""

from __future__ import annotations

import re
from typing import Literal

from shared.policy.facts.lasting import ends_in_past, names_end
from shared.policy.facts.proposals import Claimed
from shared.policy.facts.stance.clauses import Clause
from shared.policy.facts.stance.patterns import plain

#: Keys of what was, will be, or is planned.
_TIMED_KEY = re.compile(
    r"birth|born|maiden|hometown|childhood|origin|grew|former|previous|past|ex_|_ex|history|education|"
    r"school|studied|degree|plan|next|upcoming|future|trip|travel|goal|event|date|appointment|"
    r"deadline|exam|schedule|visit|vacation|holiday|moving|project|moved|since|years"
)


def is_timed(key: str) -> bool:
    """Whether a key is about what was, will be, or is planned."""
    return bool(_TIMED_KEY.search(key))


def judge_time(claim: Claimed, clause: Clause) -> Literal["now", "until", "other"]:
    """`other`: "I lived in Rome as a child", "this week", unless the key says so."""
    if is_timed(claim.key):
        return "now"
    if clause.is_after_past or _is_past(claim, clause) or ends_in_past(clause.text):
        return "other"
    value = plain(claim.value)
    passing = [
        match[0]
        for language in clause.languages
        for match in language.passing.finditer(clause.text)
        if not language.passing.search(value)
    ]
    if not passing:
        return "now"
    return "until" if all(map(names_end, passing)) else "other"


#: Turkish: "I was living", in the verb's own ending.
_IMPERFECT = re.compile(r"\w[ıiuü]yordu[mk](?!\w)")


def _is_past(claim: Claimed, clause: Clause) -> bool:
    if _IMPERFECT.search(clause.text):
        return True
    value = plain(claim.value)
    return any(
        (past := language.past.search(clause.text)) is not None
        and not language.past.search(value)
        and not language.renewals.search(past[0])
        and not language.renewals.search(language.past.sub(" ", clause.text))
        for language in clause.languages
    )
