"""Recall on LoCoMo, or on data of your own: `python -m bench.recall FOLDER` or `FILE.json`.

A folder has LoCoMo's files (`make bench-recall FOLDER=...`), a file the form of `recall_people`.

The product imports, embeds and searches the conversations, on real Postgres with the real model.
Simpler rules search the same rows for comparison. R@k is the share of a question's evidence among
the first k messages, S@3 the share of its sessions among the first three sessions, B1000 the share
of its evidence within 1,000 tokens of the prompt. No model is asked to answer.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import numpy as np

from bench.recall_data import ADVERSARIAL, Asked, Chat, Spot, read_chats
from bench.recall_people import is_plain_form, read_people
from bench.recall_people_run import report_people
from bench.recall_scores import Answered, print_curve, print_header, print_tables
from bench.recall_site import (
    TOKENS_OF,
    by_words,
    fill,
    list_titles,
    open_services,
    user_of,
    within_prompt,
)
from migrations import upgrade
from shared.db import PgConnection
from shared.embeddings import encode_queries, encode_texts, model_name
from shared.llm.tokens import count_tokens
from shared.models import Query
from shared.policy.ranking.passages import add_context, key_of
from shared.policy.ranking.relevance import LEAST_CONFIDENCE, choose_relevant, confidence
from shared.recall.messages import NEAREST, FoundMessages, search_messages
from shared.recall.query import read_query
from shared.recall.quotes import MAX_QUOTES
from shared.services import Services
from shared.store.search import candidates

TODAY = datetime(2024, 6, 1, tzinfo=UTC)  # later than all of LoCoMo
DISTANCE, TOP = 0.4, 3  # the source documents' rule
STRANGE = 50  # questions about one conversation that are asked in another one's memory
THRESHOLDS = (0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9, 1.0, 1.25, 1.5)


@dataclass
class Found:
    """What each retriever found, and the product's confidence for each question."""

    product: list[Answered]
    dense: list[Answered]
    lexical: list[Answered]
    rule: list[Answered]
    sure: list[tuple[bool, float]]
    strange: list[float]
    taken_ms: list[float]


@click.command()
@click.argument("data", type=click.Path(path_type=Path), required=False)
@click.option("--today", type=click.DateTime(["%Y-%m-%d"]), help="When a plain file is asked.")
@click.option("--failures", type=click.Path(path_type=Path), help="A folder for what was missed.")
@click.option("--database-url", default="", help="One to keep; else one of its own.")
@click.option("--redis-url", default="", help="Goes with it.")
def main(
    data: Path | None,
    today: datetime | None,
    failures: Path | None,
    database_url: str,
    redis_url: str,
) -> None:
    """DATA is a folder of LoCoMo files, or a file in the plain form."""
    is_plain = data is not None and data.is_file() and is_plain_form(data)
    chats = read_chats(data) if data and data.is_dir() else []
    if not (chats or is_plain):
        print("skipped: bench-recall needs a folder of LoCoMo files (FOLDER=...), and found none")
        return
    with open_services(database_url, redis_url) as services:
        upgrade(services.settings.database_url)
        count_tokens(TOKENS_OF)("warm: the first call loads a library")
        if data and is_plain:
            report_people(services, read_people(data), today.date() if today else None, failures)
            return
        began = time.perf_counter()
        count = fill(services, chats)
        print(f"{count} messages embedded in {time.perf_counter() - began:.0f} s\n", flush=True)
        report(ask_all(services, chats))


def report(found: Found) -> None:
    print_header()
    print_tables("the documents' rule", found.rule)
    print_tables("dense only", found.dense)
    print_tables("lexical only", found.lexical)
    print_tables("the product", found.product)
    print(f"\na search: p50 {statistics.median(found.taken_ms):.1f} ms without the embedding\n")
    notes = {step: "<- taken" if step == LEAST_CONFIDENCE else "" for step in THRESHOLDS}
    answerable = [score for has_answer, score in found.sure if has_answer]
    adversarial = [score for has_answer, score in found.sure if not has_answer]
    if adversarial:
        print_curve("against adversarial questions", answerable, adversarial, notes)
    if found.strange:
        print_curve("against questions about strangers", answerable, found.strange, notes)


def ask_all(services: Services, chats: Sequence[Chat]) -> Found:
    found = Found([], [], [], [], [], [], [])
    for chat, stranger in zip(chats, [*chats[1:], chats[0]], strict=True):
        ask_chat(services, chat, found)
        if len(chats) > 1:
            found.strange += [
                confidence(got.ranked, got.criteria)
                for got in search_all(services, chat, stranger.questions[:STRANGE], found)
            ]
    return found


def query_of(services: Services, chat: Chat, text: str) -> Query:
    model = model_name(services.settings)
    return Query(user_id=user_of(chat), text=text, asked_at=TODAY, model=model)


def search_all(
    services: Services, chat: Chat, asked: Sequence[Asked], found: Found
) -> Iterator[FoundMessages]:
    """The product's search in the memory of this chat, for one question after the other."""
    with services.database.transaction(user=user_of(chat)) as connection:
        readings = [read_query(connection, query_of(services, chat, one.text)) for one in asked]
    texts = [one.question.for_meaning for one in readings]
    encoded = encode_queries(texts, services.settings)
    for reading, vectors in zip(readings, encoded, strict=True):
        began = time.perf_counter()
        with services.database.transaction(user=user_of(chat)) as connection:
            got = search_messages(connection, reading.with_vectors(vectors))
        found.taken_ms.append((time.perf_counter() - began) * 1000)
        yield got


def ask_chat(services: Services, chat: Chat, found: Found) -> None:
    titles = list_titles(services, user_of(chat))
    bare = encode_queries([one.text for one in chat.questions], services.settings)
    rule = _documents_rule(services, chat, np.array([one.vector for one in bare]))
    searches = search_all(services, chat, chat.questions, found)
    for asked, got, encoded, ruled in zip(chat.questions, searches, bare, rule, strict=True):
        sure = confidence(got.ranked, got.criteria)
        found.sure.append((asked.category != ADVERSARIAL, sure))
        if asked.category == ADVERSARIAL:
            continue
        common: dict[str, Any] = {"chat": chat.name, "asked": asked}
        with services.database.transaction(user=user_of(chat)) as connection:
            given = _given(connection, chat, titles, got)
            query = query_of(services, chat, asked.text).with_vectors(encoded)
            near = candidates.list_nearest(connection, query, NEAREST)
            worded = by_words(connection, query)
        ranked = [_spot(titles, one.passage) for one in got.ranked]
        found.product.append(Answered(ranked=ranked, given=given, **common))
        found.dense.append(Answered(ranked=[_spot(titles, one) for one in near], **common))
        found.lexical.append(Answered(ranked=[_spot(titles, one) for one in worded], **common))
        found.rule.append(Answered(ranked=ruled, **common))


def _documents_rule(services: Services, chat: Chat, vectors: Any) -> list[list[Spot]]:
    """The three nearest of LoCoMo's own summaries of the sessions, within the distance."""
    titles = list(chat.summaries)
    summaries = encode_texts([chat.summaries[title] for title in titles], services.settings)
    distances = 1 - vectors @ summaries.T
    return [
        [(titles[n], -1) for n in row.argsort()[:TOP] if row[n] < DISTANCE] for row in distances
    ]


def _given(
    connection: PgConnection,
    chat: Chat,
    titles: dict[str, str],
    got: FoundMessages,
) -> frozenset[Spot]:
    """What a round's prompt would quote of it."""
    best = choose_relevant(got.ranked, got.criteria)[:MAX_QUOTES]
    scores = {key_of(one.passage): one.score for one in add_context(best, got.ranked)}
    quoted = within_prompt(connection, user_of(chat), scores, got.criteria.words)
    return frozenset(_spot(titles, key) for key in quoted)


def _spot(titles: dict[str, str], found: Any) -> Spot:
    return titles[found.conversation_id], found.sequence_number


if __name__ == "__main__":
    main()
