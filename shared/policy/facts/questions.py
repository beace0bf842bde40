"""Questions about the world, in which nobody says anything of themself."""

from __future__ import annotations

import re

from shared.languages.form import Language
from shared.policy.facts.phrases import any_of, plain, recognise

MOST_CHARS = 400  # a longer message is seldom only questions
_SENTENCE = re.compile(r"[^.!?？\n]+[.!?？\n]*")
_CLAUSES = re.compile(r"[,;:，；：()]|\s[-–—]")


def only_asks(text: str) -> bool:
    """Whether each sentence is one plain question that says nothing of the user.

    "What is the capital of Norway?" is; "What can I eat as a vegan?" is not, nor what begins with
    no question word, such as "Can you call me Max?", nor anything in a language that has none in
    its file, because its verbs alone may speak of the user.
    """
    if len(text) > MOST_CHARS:
        return False
    sentences = [each.strip() for each in _SENTENCE.findall(plain(text)) if each.strip()]
    languages = recognise(plain(text))
    return bool(sentences) and all(_asks_of_the_world(each, languages) for each in sentences)


def _asks_of_the_world(sentence: str, languages: tuple[Language, ...]) -> bool:
    return (
        sentence.endswith(("?", "？"))
        and not _CLAUSES.search(sentence)
        and any_of(languages[0], "questions").match(sentence) is not None
        and not any(any_of(each, "first_person").search(sentence) for each in languages)
    )
