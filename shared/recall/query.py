"""Read a query, with the names from the database that it may contain."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from shared.db import PgConnection
from shared.models import Encoded, Query, UserId
from shared.policy.folding import plain_letters
from shared.policy.ranking.nicknames import choose_nicknames, list_unknown_names
from shared.policy.ranking.question import Names, Question, read_question
from shared.policy.ranking.spelling import replace_words
from shared.store.search import candidates, names


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A query, and how retrieval understands it."""

    query: Query
    question: Question
    names: Names = field(default_factory=Names)
    #: The misspelt words, each with its correction, in lower case.
    corrections: Mapping[str, str] = field(default_factory=dict)
    #: The lexemes of the corrections.
    corrected_lexemes: Collection[str] = ()
    #: False: there was no time to look for typing errors.
    is_complete: bool = True

    @staticmethod
    def literal(query: Query) -> Reading:
        """The text as it is, for when reading it fails."""
        return Reading(query=query, question=Question(for_meaning=query.text, for_words=query.text))

    def with_vectors(self, encoded: Encoded | None) -> Reading:
        return replace(self, query=self.query.with_vectors(encoded))

    def with_corrections(self, corrections: Mapping[str, str], lexemes: Collection[str]) -> Reading:
        """Replace these words in the query, and read it again."""
        query = self.query.with_text(replace_words(self.query.text, corrections))
        return replace(
            self,
            query=query,
            question=read_question(query, self.names),
            corrections=corrections,
            corrected_lexemes=lexemes,
        )


def read_query(connection: PgConnection, query: Query) -> Reading:
    """Read the query as it was typed. `correct_spelling` comes after this."""
    known = load_names(connection, query.user_id)
    unknown = list_unknown_names(plain_letters(query.text), known.forms) if known.speakers else []
    if unknown:
        candidates.prepare_search(connection)
        beginnings = names.list_beginnings(connection, query.user_id, unknown)
        known = replace(known, nicknames=choose_nicknames(beginnings))
    return Reading(query=query, names=known, question=read_question(query, known))


def load_names(connection: PgConnection, user_id: UserId) -> Names:
    known = names.list_names(connection, user_id)
    return Names(speakers=known.speakers, of_user=known.of_user)
