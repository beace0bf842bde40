"""The model's own word on its proposal, the first of two witnesses. The second is the check."""

from __future__ import annotations

from typing import Literal

from shared.policy.facts.proposals import Testified

#: `silent`: the model said nothing, as in answers of the former form.
Testimony = Literal["agrees", "silent", "doubts", "refuses"]

#: A fact that ends is denied, and was.
_NO_END = ("asked", "supposed", "quoted", "joked")


def read_testimony(fact: Testified, *, is_limited: bool = False) -> Testimony:
    """Whether the model itself takes its proposal for a plain statement about the user, now.

    `is_limited`: the message names the day until which it holds, so that "for a while" is right.
    `refuses`: the user does not want it kept, or nothing of the proposal is the user's.
    """
    if not fact.keep and not fact.retracts:  # small models say so of all that ends
        return "refuses"
    if fact.retracts:
        is_doubtful = fact.how in _NO_END or fact.whose in ("other", "nobody")
        if is_doubtful:
            return "refuses"
        return "doubts" if fact.when in ("while", "future") else _agreement(fact)
    if fact.whose == "nobody" or fact.how in ("quoted", "joked", "asked", "supposed"):
        return "refuses" if fact.whose in ("other", "nobody") else "doubts"
    is_untimely = fact.when in ("past", "future") or (fact.when == "while" and not is_limited)
    if fact.whose == "other" or fact.how == "denied" or is_untimely:
        return "doubts"
    return _agreement(fact)


def _agreement(fact: Testified) -> Testimony:
    is_told = "unknown" not in (fact.whose, fact.how, fact.when)
    return "agrees" if is_told else "silent"
