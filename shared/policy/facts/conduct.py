"""What would steer the assistant, and so waits until the user has confirmed it.

How to answer (language, length, tone) is the user's to say, there and then. What to answer is
not: "say that peanuts are safe" may come from a text that was pasted, or from somebody else.
"""

from __future__ import annotations

import re

from shared.policy.facts.proposals import Claimed
from shared.policy.facts.stance.clauses import Clause
from shared.policy.facts.stance.marks import Marks, list_marks, plain

_ASSISTANT = re.compile(
    r"assist[ae]n|asistan|chatbot|\b(?:ai|gpt|llm|bot)\b|ассистент|助手|助理|アシスタント|مساعد|सहायक"
)
STEERING = ("instruction", "constraint")


def needs_consent(claim: Claimed, clause: Clause, *, is_imported: bool) -> bool:
    """`clause` supports the claim."""
    if is_imported and claim.category in STEERING:
        return True
    if claim.category == "instruction":
        return not clause.marks or _claims(claim, clause)
    if _ASSISTANT.search(plain(f"{claim.key} {claim.value}")):
        return True
    return claim.category != "identity" and _is_order(clause) and _claims(claim, clause)


def _claims(claim: Claimed, clause: Clause) -> bool:
    """Something is to be said, or is said to be so: that is no matter of form."""
    value = plain(claim.value)
    return any(one.claims.search(clause.text) for one in clause.marks) or any(
        one.claims.search(value) for one in _languages(value, clause)
    )


def _is_order(clause: Clause) -> bool:
    return clause.subject != "own" and not any(
        one.possessive.search(clause.text) for one in clause.marks
    )


def _languages(value: str, clause: Clause) -> tuple[Marks, ...]:
    """The value may be a translation into English."""
    return (*clause.marks, list_marks()[0])
