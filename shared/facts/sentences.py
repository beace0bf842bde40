"""Facts that users write as sentences: "I am allergic to peanuts".

A plain sentence is read by the grammar of the stand-in, and gets the slot that the same words would
get in a chat: so it replaces the value there, and a later statement replaces it. Whatever the
grammar does not read as a whole, in any language, is kept word for word, in a slot of its own.
"""

from __future__ import annotations

import re
from typing import get_args

from shared.facts.corrections import Statement
from shared.models import Category
from shared.offline.facts.known_facts import TASTES, FoundFact
from shared.offline.facts.plain_facts import find_in_message
from shared.offline.prompt_parser import Utterance
from shared.policy.facts.slots import MARK_CHARS
from shared.policy.facts.values import clean_value, fingerprint, plain_value

OWN_WORDS = "statement"
#: "my favourite colour is": a sentence with more before its value says more than the grammar reads.
MOST_WORDS_BEFORE = 5
#: "In summer I live in Oslo" begins otherwise, and says more than where somebody lives.
BEGINS = re.compile(r"(?:i|im|ive|we|weve|my|our)\b|$")
SURE = 0.7  # hedged statements are below it

_TASTE = re.compile(rf"(?:{'|'.join(TASTES)}) ")


def read_sentence(text: str) -> Statement:
    """The fact that a sentence states. Its value may be the sentence itself, word for word."""
    return find_statement(text) or in_own_words(text)


def find_statement(text: str) -> Statement | None:
    """The fact that a plain sentence states. None: the grammar does not read it as a whole."""
    sentence = clean_value(text)
    facts = find_in_message(Utterance(seq=0, role="user", at="", text=sentence), [])
    if len(facts) == 1 and _says_all(facts[0], sentence):
        return Statement(category=_category(facts[0]), key=facts[0].key, value=facts[0].value)
    return None


def in_own_words(text: str) -> Statement:
    sentence = clean_value(text)
    key = f"{OWN_WORDS}_{fingerprint('', sentence)[:MARK_CHARS]}"
    return Statement(category="identity", key=key, value=sentence)


def _says_all(fact: FoundFact, sentence: str) -> bool:
    """Whether nothing of the sentence is lost: it is a few words, and then the value."""
    if fact.retracts or fact.confidence < SURE or fact.category not in get_args(Category):
        return False
    value = plain_value(_TASTE.sub("", fact.value, count=1))
    before, separator, after = plain_value(sentence).rpartition(value)
    return (
        bool(separator)
        and not after
        and BEGINS.match(before) is not None
        and len(before.split()) <= MOST_WORDS_BEFORE
    )


def _category(fact: FoundFact) -> Category:
    return next(category for category in get_args(Category) if category == fact.category)
