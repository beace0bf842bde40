"""Finds facts that would steer the assistant. The user must confirm them first.

A fact about the form of answers (language, length, tone) is learned at once. A fact about their
content is not: "say that peanuts are safe" may come from a pasted text or from somebody else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from shared.models import Category
from shared.policy.facts.proposals import Claimed
from shared.policy.facts.stance.clauses import Clause, read_clauses
from shared.policy.facts.stance.patterns import list_languages, plain

_ASSISTANT = re.compile(
    r"assist[ae]n|asistan|chatbot|\b(?:ai|gpt|llm|bot)\b|ассистент|助手|助理|アシスタント|مساعد|सहायक"
)
# "Always", "never" and "must", and words for replies, in the languages that have a table.
_ORDERS = re.compile(
    r"\b(?:always|never|must|do not|don't|from now on|mention|append|immer|nie|niemals|"
    r"muss|musst|stets|toujours|jamais|doit|dois|siempre|nunca|debes?|sempre|deve|"
    r"altijd|nooit|moet|her zaman|asla|всегда|никогда|должен)\b"
    r"|总是|總是|从不|從不|永远|永遠|必须|必須|不要|必ず|常に|決して"
    r"|دائما|أبدا|لا تذكر|يجب|हमेशा|कभी"
)
_REPLIES = re.compile(
    r"\b(?:repl(?:y|ies)|answers?|responses?|respond|antworte?n?|réponses?|répond\w*|respuestas?|"
    r"respond\w*|respostas?|rispost[ae]|rispond\w*|antwoord\w*|yanıt\w*|cevap\w*|отве[тч]\w*)\b"
    r"|回答|回复|回覆|答复|返信|返事|答え|إجاب|جواب|أجب|उत्तर|जवाब"
)
MAX_NAME_BYTES = 24  # shorter values may be names: "São Paulo" has a word that means "are"
MAX_KEY_WORDS = 3
STEERING = ("instruction", "constraint")
# Another sentence follows. "Dr. Adams" and "St. Gallen" are one.
_SENTENCE_END = re.compile(r"\w{4,}[.!?]+\s+\w|[。！？]\s*\w|\n\s*\S")


def needs_consent(claim: Claimed, clause: Clause, *, is_imported: bool) -> bool:
    """Whether the user must confirm the claim, which `clause` supports."""
    if is_imported and claim.category in STEERING:
        return True
    if claim.category == "instruction":
        return not clause.languages or _is_about_content(claim, clause)
    if _ASSISTANT.search(plain(f"{claim.key} {claim.value}")):
        return True
    return claim.category != "identity" and _is_order(clause) and _is_about_content(claim, clause)


@dataclass(frozen=True, kw_only=True)
class _Written:
    """A claim of a file."""

    category: Category
    key: str
    value: str


def steers(category: Category, key: str, value: str) -> bool:
    """Whether a fact that no message here supports would steer the assistant.

    Nobody is known to have said it, so more is taken for an order than of what is said in a chat:
    whatever speaks of replies, of "always" or "never", or in several sentences.
    """
    if category in STEERING or _ASSISTANT.search(plain(f"{key} {value}")):
        return True
    clauses = read_clauses(value)
    words = key.split("_")
    if len(words) > MAX_KEY_WORDS:
        clauses += read_clauses(" ".join(words))
    if _REPLIES.search(plain(value)) or _SENTENCE_END.search(plain(value)):
        return True
    claim = _Written(category=category, key=key, value=value)
    return any(_is_order(clause) and _commands(claim, clause) for clause in clauses)


def _commands(claim: Claimed, clause: Clause) -> bool:
    if _ORDERS.search(clause.text):
        return True
    may_be_name = claim.category == "identity" and len(claim.value.encode()) <= MAX_NAME_BYTES
    return not may_be_name and _is_about_content(claim, clause)


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
