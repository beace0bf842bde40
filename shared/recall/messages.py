"""Message search: find the user's messages about a question, and rank them.

Passages of the user's files are found and ranked together with the messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time

from shared.db import PgConnection
from shared.models import ENGLISH_MINILM, MessageKey, Query, Span
from shared.models.attachments import FilePassage
from shared.policy.ranking.candidates import make_shortlist
from shared.policy.ranking.passages import Criteria, Ranked, key_of, rank_passages
from shared.policy.ranking.speech import standing_pattern
from shared.policy.ranking.words import choose_words, weigh_unsaid, weigh_words
from shared.recall.query import Reading
from shared.store.search import candidates, file_passages, passages, time_spans
from shared.store.search.file_passages import Wanted
from shared.store.search.passages import Marks

NEAREST = 60  # candidates of the search by meaning
WITH_WORDS = 60  # candidates of the search by words
YEARS = 5  # a day without a year may be of any of the last ones
OF_FILES = 20  # passages of files, of each kind of search
MOST_DAYS = 12  # days that are searched for a question
OF_A_DAY = 20  # messages of a day
MOST_MONTHS = 12  # months, or longer times, that are searched for a question
OF_MONTHS = 20  # messages of all of them
COMPARED = 10_000  # messages, whose episodes are all compared in less time than an index takes
# These two limits bound the work for a word that occurs in very many messages.
MOST_COUNTED = 2000  # messages that are counted for each word
MOST_READ = 500  # messages that are read for the rarest words, or of a month


@dataclass(frozen=True, kw_only=True)
class FoundMessages:
    #: Best first, relevant or not, with the neighbours of the candidates.
    ranked: Sequence[Ranked]
    #: What they were ranked by.
    criteria: Criteria
    #: The passages of files among `ranked`, by their keys.
    of_files: Mapping[MessageKey, FilePassage] = field(default_factory=dict)
    #: The user has so few messages that all of their episodes are compared by meaning.
    few_episodes: bool = False

    def only_messages(self, ranked: Sequence[Ranked]) -> Sequence[Ranked]:
        if not self.of_files:
            return ranked
        return [hit for hit in ranked if key_of(hit.passage) not in self.of_files]

    def only_files(self, ranked: Sequence[Ranked]) -> list[FilePassage]:
        if not self.of_files:
            return []
        keys = ((key_of(hit.passage), hit.score) for hit in ranked)
        return [
            replace(self.of_files[key], score=score) for key, score in keys if key in self.of_files
        ]


def search_messages(
    connection: PgConnection, reading: Reading, left_out_files: Sequence[tuple[str, Span]] = ()
) -> FoundMessages:
    """Search by meaning and by words, or only by words if the query has no vectors.

    The files of the messages in `left_out_files`, spans of conversations, are not searched.
    """
    query, question = reading.query, reading.question
    calibration = query.encoded.calibration if query.encoded else ENGLISH_MINILM
    candidates.prepare_search(connection)
    counted, total, passage_count = candidates.count_containing(
        connection, query.user_id, question.for_words, MOST_COUNTED
    )
    counts = _without_itself(counted, reading)
    words = weigh_words(counts, total)
    rarest = {word: words[word] for word in choose_words(counts, MOST_READ)}
    shortlist = make_shortlist(
        candidates.list_nearest(connection, query, NEAREST),
        _list_with_words(connection, query, rarest),
        calibration,
        _list_said_then(connection, reading),
    )
    anchor = question.anchor
    criteria = Criteria(
        question=question,
        words=words,
        unsaid_weight=weigh_unsaid(counts, total),
        anchor_words=candidates.read_words(connection, anchor.text) if anchor else (),
        token_signs=query.encoded.token_signs if query.encoded else None,
        calibration=calibration,
    )
    marks = Marks(
        words=list(words),
        expected_words=question.expected_words,
        standing=standing_pattern(),
    )
    message_passages = passages.list_passages(connection, query, shortlist, marks)
    selection = Wanted(
        words=words,
        rarest=list(rarest),
        expected_words=question.expected_words,
        left_out=left_out_files,
    )
    of_files = (
        file_passages.list_candidates(connection, query, selection, read=MOST_READ, limit=OF_FILES)
        if passage_count
        else []
    )
    return FoundMessages(
        ranked=rank_passages([*message_passages, *(scored for scored, _ in of_files)], criteria),
        criteria=criteria,
        of_files={passage.key: passage for _, passage in of_files},
        few_episodes=total <= COMPARED,
    )


def _list_said_then(connection: PgConnection, reading: Reading) -> list[MessageKey]:
    """Messages of the days that the question names, and the nearest of the months around them."""
    query, today, dates = reading.query, reading.query.asked_at.date(), reading.question.dates
    days = [span for named_time in dates for span in named_time.spans(today, YEARS)]
    months = [span for named_time in dates for span in named_time.months_around(today, YEARS)]
    keys: list[MessageKey] = []
    for begin, end in _instants(days[:MOST_DAYS], reading):
        keys += time_spans.list_said_between(connection, query, begin, end, OF_A_DAY)
    return keys + time_spans.list_nearest_between(
        connection, query, _instants(months[:MOST_MONTHS], reading), read=MOST_READ, limit=OF_MONTHS
    )


def _instants(
    spans: Sequence[tuple[date, date]], reading: Reading
) -> list[tuple[datetime, datetime]]:
    zone = reading.question.zone
    return [
        (datetime.combine(first, time.min, zone), datetime.combine(last, time.max, zone))
        for first, last in spans
    ]


def _without_itself(counts: Mapping[str, int], reading: Reading) -> Mapping[str, int]:
    """The counts without the query itself, which is a message with its words as they were typed."""
    if not reading.query.is_message:
        return counts
    return {
        word: count if word in reading.corrected_lexemes else max(0, count - 1)
        for word, count in counts.items()
    }


def _list_with_words(
    connection: PgConnection, query: Query, words: Mapping[str, float]
) -> Mapping[MessageKey, float]:
    if not words:
        return {}
    return candidates.list_containing(connection, query, words, read=MOST_READ, limit=WITH_WORDS)
