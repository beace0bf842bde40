"""Questions about the world, in which nobody says anything of themself."""

from __future__ import annotations

from shared.policy.facts.stance.clauses import Clause, read_clauses
from shared.policy.facts.stance.patterns import Patterns, plain
from shared.policy.facts.stance.sentences import split_sentences

MOST_CHARS = 400  # a longer message is seldom only questions


def only_asks(text: str) -> bool:
    """Whether each sentence is one plain question that says nothing of the user.

    "What is the capital of Norway?" is; "What can I eat as a vegan?" is not, nor what begins with
    no question word, such as "Can you call me Max?", nor
    anything in a language that has no table or needs no pronouns.
    """
    if len(text) > MOST_CHARS:
        return False
    sentences = [*split_sentences(plain(text))]
    clauses = read_clauses(text)
    return (
        0 < len(clauses) == len(sentences)
        and all(is_question for _, is_question in sentences)
        and all(map(_asks_of_the_world, clauses))
    )


def _asks_of_the_world(clause: Clause) -> bool:
    return bool(clause.languages) and all(
        _begins_by_question_word(clause.text, language)
        and not language.first_person.search(clause.text)
        and not language.polite.search(clause.text)
        and not _speaks_by_verbs(language)
        for language in clause.languages
    )


def _begins_by_question_word(text: str, language: Patterns) -> bool:
    """Longer beginnings, such as "kannst du", may ask for something to be done from now on."""
    beginning = language.asks.match(text)
    return beginning is not None and " " not in beginning[0].strip()


def _speaks_by_verbs(language: Patterns) -> bool:
    """Whether a verb alone tells that somebody speaks of themself: "¿Qué puedo comer?"."""
    return bool(language.first_person.search(language.table.verbs))
