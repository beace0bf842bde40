"""The model's own word on its proposal."""

from __future__ import annotations

from typing import Literal

from shared.policy.facts.names import is_timed
from shared.policy.facts.proposals import LabeledProposal

#: `unsure`: the model left a label out.
ModelWord = Literal["meant", "unsure", "not_meant"]

_NOT_STATED = ("asked", "supposed", "quoted", "joked")


def read_labels(fact: LabeledProposal) -> ModelWord:
    """Whether the model itself takes its proposal for a plain statement of the user about now."""
    if fact.whose in ("other", "nobody") or fact.how in _NOT_STATED:
        return "not_meant"
    if fact.retracts:  # what ends is denied, and was; small models do not want to keep it
        return "not_meant" if fact.when in ("while", "future") else _unless_unknown(fact)
    is_of_now = fact.when not in ("past", "future") or is_timed(fact.key)
    if not fact.keep or fact.how == "denied" or not is_of_now:
        return "not_meant"
    if fact.when == "while":
        return "meant" if fact.until else "unsure"
    return _unless_unknown(fact)


def _unless_unknown(fact: LabeledProposal) -> ModelWord:
    return "unsure" if "unknown" in (fact.whose, fact.how, fact.when) else "meant"
