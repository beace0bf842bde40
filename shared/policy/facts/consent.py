"""Finds facts that would steer the assistant. The user must confirm them first.

A fact about the form of answers (language, length, tone) is learned at once. A fact about their
content is not: "say that peanuts are safe" may come from a pasted text or from somebody else.
"""

from __future__ import annotations

import re

from shared.policy.facts.proposals import Claimed
from shared.policy.facts.stance.clauses import Clause
from shared.policy.facts.stance.patterns import list_languages, plain

_ASSISTANT = re.compile(
    r"assist[ae]n|asistan|chatbot|\b(?:ai|gpt|llm|bot)\b|ассистент|助手|助理|アシスタント|مساعد|सहायक"
)
STEERING = ("instruction", "constraint")


def needs_consent(claim: Claimed, clause: Clause, *, is_imported: bool) -> bool:
    """Whether the user must confirm the claim, which `clause` supports."""
    if is_imported and claim.category in STEERING:
        return True
    if claim.category == "instruction":
        return not clause.languages or _is_about_content(claim, clause)
    if _ASSISTANT.search(plain(f"{claim.key} {claim.value}")):
        return True
    return claim.category != "identity" and _is_order(clause) and _is_about_content(claim, clause)


def _is_about_content(claim: Claimed, clause: Clause) -> bool:
    """Whether the claim is about the content of answers, not about their form."""
    value = plain(claim.value)
    english = list_languages()[0]  # models may translate the value into English
    return any(language.claims.search(clause.text) for language in clause.languages) or any(
        language.claims.search(value) for language in (*clause.languages, english)
    )


def _is_order(clause: Clause) -> bool:
    return clause.subject != "own" and not any(
        language.possessive.search(clause.text) for language in clause.languages
    )
