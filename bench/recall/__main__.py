"""Recall: `python -m bench.recall PATH...`, each a file or a folder, which is one set of chats.

Files have LoCoMo's form (`locomo.py`) or the plain one (`plain.py`). The product imports,
embeds and searches the conversations, on real Postgres with the real model. Three simpler rules
search the same rows: by words, by meaning, and both joined by rank. No model is asked to answer.

R@k is the share of a question's evidence among the first k messages, S@3 the share of its sessions
among the first three, B1000 the share of its evidence within 1,000 tokens of quotes. "kept" is the
share of questions with an answer for which anything is quoted, "refused" the share of the others
for which nothing is.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from datetime import time as time_of_day
from pathlib import Path

import click

from bench.harness.services import open_services
from bench.recall.chats import Asked, Chat, Spot
from bench.recall.data import read_chats
from bench.recall.failures import write_failures
from bench.recall.memory import by_words, fill, list_titles, user_of
from bench.recall.scores import (
    BUDGETS,
    Answered,
    print_coverage,
    print_curve,
    print_header,
    print_tables,
)
from shared.db import PgConnection
from shared.embeddings.bulk_encoder import encode_queries
from shared.embeddings.model_properties import model_name
from shared.llm.token_counts import count_tokens
from shared.models import MessageKey, Query, Quote
from shared.policy.quoting import quote_sizes
from shared.policy.ranking.passages import key_of
from shared.policy.ranking.relevance import choose_relevant, confidence
from shared.recall.messages import NEAREST, FoundMessages, search_messages
from shared.recall.query import Reading, read_query
from shared.recall.quotes import choose_quotes, list_quotes
from shared.services import Services
from shared.store.search import candidates

TOKENS_OF = "gpt-4"  # cl100k, as in the papers
EVENING = time_of_day(20, 0, tzinfo=UTC)  # when the questions are asked
STRANGE = 50  # questions about one chat that are asked in another one's memory
RANK_OFFSET = 60  # of reciprocal rank fusion (Cormack et al., SIGIR 2009)
THRESHOLDS = (0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9, 1.0, 1.25, 1.5)


@dataclass
class Found:
    """What each retriever found, and the product's confidence for each question."""

    words: list[Answered] = field(default_factory=list)
    meaning: list[Answered] = field(default_factory=list)
    joined: list[Answered] = field(default_factory=list)
    product: list[Answered] = field(default_factory=list)
    #: How the product read each question, and its confidence in what it found.
    readings: list[tuple[Reading, float]] = field(default_factory=list)
    strange: list[float] = field(default_factory=list)
    taken_ms: list[float] = field(default_factory=list)


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--coverage", is_flag=True, help="How much a prompt names, of questions about all.")
@click.option("--failures", type=click.Path(path_type=Path), help="A folder for what was missed.")
@click.option("--database-url", default="", help="One to keep; else one of its own.")
@click.option("--redis-url", default="", help="Goes with it.")
def main(
    paths: Sequence[Path],
    coverage: bool,
    failures: Path | None,
    database_url: str,
    redis_url: str,
) -> None:
    sets = {path: read_chats(path) for path in paths}
    if not any(sets.values()):
        print("skipped: bench-recall needs files to measure with (FOLDER=...), and found none")
        return
    with open_services(database_url, redis_url) as services:
        count_tokens(TOKENS_OF)("warm: the first call loads a library")
        for path, chats in sets.items():
            begun = time.perf_counter()
            count = fill(services, chats)
            print(
                f"{path.name}: {count} embedded in {time.perf_counter() - begun:.0f} s", flush=True
            )
            results = ask_all(services, chats)
            report(results)
            if coverage:
                pairs = zip(results.product, results.readings, strict=True)
                print_coverage(
                    [answer for answer, (read, _) in pairs if read.question.asks_for_whole]
                )
            if failures:
                write_failures(failures, chats, results.product, results.readings)


def report(results: Found) -> None:
    print_header()
    print_tables("by words", results.words)
    print_tables("by meaning", results.meaning)
    print_tables("both, joined by rank", results.joined)
    print_tables("the product", results.product)
    print(f"\na search: p50 {statistics.median(results.taken_ms):.1f} ms without the embedding\n")
    pairs = zip(results.product, results.readings, strict=True)
    sure = [(bool(answer.question.groups), confidence) for answer, (_, confidence) in pairs]
    others = {
        "without answer": [score for has_answer, score in sure if not has_answer],
        "strangers'": results.strange,
    }
    print_curve([score for has_answer, score in sure if has_answer], others, THRESHOLDS)
    print()


def ask_all(services: Services, chats: Sequence[Chat]) -> Found:
    results = Found()
    for chat, stranger in zip(chats, [*chats[1:], chats[0]], strict=True):
        _ask_chat(services, chat, results)
        if len(chats) > 1:
            queries = _queries(services, chat, stranger.questions[:STRANGE])
            results.strange += [
                confidence(got.ranked, got.criteria)
                for _, got in _search_all(services, queries, results)
            ]
    return results


def _queries(services: Services, chat: Chat, questions: Sequence[Asked]) -> list[Query]:
    return [
        Query(
            user_id=user_of(chat),
            text=question.text,
            asked_at=datetime.combine(chat.day_of(question), EVENING),
            model=model_name(services.settings),
        )
        for question in questions
    ]


def _search_all(
    services: Services, queries: Sequence[Query], results: Found
) -> Iterator[tuple[Reading, FoundMessages]]:
    """The product's search, for one question after the other."""
    user_id = queries[0].user_id
    with services.database.transaction(user=user_id) as connection:
        readings = [read_query(connection, query) for query in queries]
    texts = [reading.question.for_meaning for reading in readings]
    for reading, encoded in zip(readings, encode_queries(texts, services.settings), strict=True):
        begun = time.perf_counter()
        with services.database.transaction(user=user_id) as connection:
            got = search_messages(connection, reading.with_vectors(encoded))
        results.taken_ms.append((time.perf_counter() - begun) * 1000)
        yield reading, got


def _ask_chat(services: Services, chat: Chat, results: Found) -> None:
    queries = _queries(services, chat, chat.questions)
    titles = list_titles(services, user_of(chat))
    plain = encode_queries([query.text for query in queries], services.settings)
    searches = _search_all(services, queries, results)
    for question, query, encoded, (reading, got) in zip(
        chat.questions, queries, plain, searches, strict=True
    ):
        with services.database.transaction(user=query.user_id) as connection:
            near = list(candidates.list_nearest(connection, query.with_vectors(encoded), NEAREST))
            worded = by_words(connection, query)
            make = Maker(connection, chat, question, titles)
            results.words.append(make.plain(worded))
            results.meaning.append(make.plain(near))
            results.joined.append(make.plain(_join_by_rank(worded, near)))
            results.product.append(make.product(got))
        results.readings.append((reading, confidence(got.ranked, got.criteria)))


def _join_by_rank(*rankings: Sequence[MessageKey]) -> list[MessageKey]:
    scores: dict[MessageKey, float] = {}
    for ranking in rankings:
        for place, key in enumerate(ranking, start=1):
            scores[key] = scores.get(key, 0.0) + 1 / (RANK_OFFSET + place)
    return sorted(scores, key=lambda key: -scores[key])


@dataclass(frozen=True)
class Maker:
    """Makes the answers of each retriever to one question."""

    connection: PgConnection
    chat: Chat
    question: Asked
    titles: Mapping[str, str]

    def product(self, got: FoundMessages) -> Answered:
        relevant = choose_relevant(got.ranked, got.criteria)
        quotes = choose_quotes(self.connection, user_of(self.chat), relevant, got, max(BUDGETS))
        return Answered(
            chat=self.chat.name,
            question=self.question,
            ranked=[self._spot(key_of(hit.passage)) for hit in got.ranked],
            quoted=self._ends(quotes),
            is_refused=not relevant,
        )

    def plain(self, keys: Sequence[MessageKey]) -> Answered:
        scores = {key: -float(place) for place, key in enumerate(keys)}
        quotes = list_quotes(self.connection, user_of(self.chat), scores, {})
        return Answered(
            chat=self.chat.name,
            question=self.question,
            ranked=[self._spot(key) for key in keys],
            quoted=self._ends(quotes),
            is_refused=not keys,
        )

    def _ends(self, quotes: Sequence[Quote]) -> dict[Spot, int]:
        """Each quoted message, and the tokens of all quotes up to and with it."""
        ends = itertools.accumulate(quote_sizes(quotes, count_tokens(TOKENS_OF)))
        spots = (
            self._spot(MessageKey(quote.conversation_id, quote.sequence_number)) for quote in quotes
        )
        return dict(zip(spots, ends, strict=True))

    def _spot(self, key: MessageKey) -> Spot:
        return self.titles[key.conversation_id], key.sequence_number


if __name__ == "__main__":
    main()
