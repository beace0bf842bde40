"""The queries on the path of a round use their indexes, for a small user and for a large one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import numpy as np
import psycopg2
import pytest

from shared.models import ConversationId, Encoded, MessageKey, Query, Shortlist, Span, UserId
from shared.models.job_kinds import EPISODE, SUMMARY
from shared.store import conversation_lists, episodes, messages, projects, summaries
from shared.store.conversation_lists import ListFilter
from shared.store.facts import versions as fact_versions
from shared.store.search import (
    candidates,
    episode_hits,
    message_vectors,
    names,
    passages,
    time_spans,
    unembedded,
)
from shared.store.upkeep import jobs, operations, retention
from tests.asking import make_query
from tests.integration.store.recording import (
    RecordingConnection,
    act_as,
    act_as_upkeep,
    count_scans,
)

OWN = ConversationId("00000000-0000-4000-8000-000000000001")
VECTOR = np.full(384, 0.05, dtype=np.float32)
LARGE_TABLES = {
    "conversations", "messages", "message_embeddings", "unembedded_messages", "memory",
    "episodic_memory", "structured_facts",
}  # fmt: skip
KEYS = [MessageKey(OWN, number) for number in (3, 8)]
MARKS = passages.Marks(words=["word7"], expected_words="today", standing=re.compile("always"))
SHORTLIST = Shortlist(candidates=KEYS, windows=[(OWN, Span(start=2, end=9))])


def query_of(user: UserId) -> Query:
    encoded = Encoded(vector=VECTOR, token_signs=np.empty((0, 48), dtype=np.uint8))
    return make_query("word7 of it", user).with_vectors(encoded)


QUERIES: dict[str, Callable[[Any, UserId], object]] = {
    "conversations": lambda c, user: conversation_lists.list_conversations(
        c, user, only=ListFilter(), limit=30, before=None
    ),
    "pinned conversations": lambda c, user: conversation_lists.list_conversations(
        c, user, only=ListFilter(pinned=True), limit=30, before=None
    ),
    "archived conversations": lambda c, user: conversation_lists.list_conversations(
        c, user, only=ListFilter(archived=True), limit=30, before=None
    ),
    "conversations of a project": lambda c, user: conversation_lists.list_conversations(
        c, user, only=ListFilter(project="Work"), limit=30, before=None
    ),
    "projects": projects.list_projects,
    "newest summary": lambda c, _: summaries.find_newest_summary(c, OWN),
    "anchor": lambda c, _: summaries.find_anchor(c, OWN, 8),
    "summary before the anchor": lambda c, _: summaries.find_summary_before(c, OWN, 4),
    "gap": lambda c, _: messages.list_messages(c, OWN, Span(start=6, end=9)),
    "page of messages": lambda c, _: messages.list_newest(c, OWN, limit=50, before=None),
    "first pending": lambda c, _: episodes.find_pending(c, OWN),
    "jobs": lambda c, _: jobs.list_jobs(c, OWN),
    "versions": lambda c, _: summaries.list_summaries(c, OWN, limit=100),
    "jobs counted": lambda c, _: jobs.count_jobs(c, OWN),
    "a job in progress": lambda c, _: jobs.is_in_progress(c, OWN, "summary"),
    "facts": lambda c, user: fact_versions.list_recallable(c, user, 0.5, 100),
    "episodes": lambda c, user: episode_hits.list_hits(
        c, query_of(user), dict.fromkeys(KEYS, 1.0), 30
    ),
    "few episodes": lambda c, user: episode_hits.list_hits(
        c, query_of(user), dict.fromkeys(KEYS, 1.0), 30, compares_all=True
    ),
}

SEARCHES: dict[str, Callable[[Any, UserId], object]] = {
    "names": names.list_names,
    "how messages with a word begin": lambda c, user: names.list_beginnings(c, user, ["word7"]),
    "how often words were said": lambda c, user: candidates.count_containing(
        c, user, "word7 of", 99
    ),
    "messages by words": lambda c, user: candidates.list_containing(
        c, query_of(user), {"word7": 1.0}, read=99, limit=30
    ),
    "messages by meaning": lambda c, user: candidates.list_nearest(c, query_of(user), 30),
    "messages of a day": lambda c, user: time_spans.list_said_between(
        c, query_of(user), datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 2, tzinfo=UTC), 20
    ),
    "nearest messages of a month": lambda c, user: time_spans.list_nearest_between(
        c,
        query_of(user),
        [(datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 31, tzinfo=UTC))],
        read=99,
        limit=20,
    ),
    "messages with their neighbours": lambda c, user: passages.list_passages(
        c, query_of(user), SHORTLIST, MARKS
    ),
    "quotes": lambda c, user: passages.list_quotes(c, user, dict.fromkeys(KEYS, 1.0), 99),
    "texts without a vector": lambda c, _: message_vectors.read_unembedded(c, [1, 2], 99),
}


WATCHED: dict[str, Callable[[Any, UserId], object]] = {
    "jobs by state": lambda c, _: operations.count_states(c, 86_400),
    "stuck jobs": lambda c, _: jobs.list_stuck(c, 300, 50),
    "running times": lambda c, _: operations.list_running_times(c, within_s=86_400, step_s=3600),
    "messages without a vector": lambda c, _: message_vectors.list_unembedded(c, 32),
    "what waits for vectors": lambda c, _: unembedded.find_waiting(c),
    "the newest summarised": lambda c, _: operations.list_newest_summarised(c, 20),
}


@pytest.mark.parametrize("user", ["small", "large"])
def test_no_query_of_a_round_reads_a_whole_table(filled: RecordingConnection, user: str) -> None:
    assert whole_readers(filled, UserId(user), QUERIES) == set()


@pytest.mark.parametrize("user", ["small", "large"])
def test_no_search_for_messages_reads_a_whole_table(filled: RecordingConnection, user: str) -> None:
    candidates.prepare_search(filled)
    assert whole_readers(filled, UserId(user), SEARCHES) == set()


def test_what_has_grown_old_is_found_by_its_age(filled: RecordingConnection) -> None:
    age = {"older_than_days": 30, "limit": 500}
    takes: dict[str, Callable[[Any, UserId], object]] = {
        "failed summaries": lambda c, _: retention.delete_failed_jobs(c, SUMMARY, **age),
        "failed episodes": lambda c, _: retention.delete_failed_jobs(c, EPISODE, **age),
        "readings": lambda c, _: retention.join_extractions(c, **age),
        "summaries": lambda c, _: retention.delete_replaced_summaries(c, **age),
        "keys": lambda c, _: retention.remove_idempotency_keys(c, **age),
    }
    assert whole_readers(filled, None, takes) == set()


def test_no_query_of_an_operator_reads_a_whole_table(filled: RecordingConnection) -> None:
    assert whole_readers(filled, None, WATCHED) == set()


def whole_readers(
    connection: RecordingConnection, user: UserId | None, queries: dict[str, Callable[..., object]]
) -> set[str]:
    """The names of those that read a large table from end to end. No user: they are upkeep."""
    names = set()
    if user is None:
        act_as_upkeep(connection)
    else:
        act_as(connection, user)
    for name, ask in queries.items():
        before = count_whole_reads(connection)
        connection.sent.clear()
        ask(connection, user)
        statements = list(connection.sent)
        if count_whole_reads(connection) > before:
            names.add(name)
        if LARGE_TABLES & {
            table for statement in statements for table in whole_reads(connection, statement)
        }:
            names.add(name)
    return names


def count_whole_reads(connection: RecordingConnection) -> int:
    """How often this transaction has read a large table from end to end, also in functions."""
    return sum(count_scans(connection, table) for table in LARGE_TABLES)


def whole_reads(connection: RecordingConnection, statement: str) -> Iterator[str]:
    """The tables that the statement's plan reads from end to end."""
    with psycopg2.extensions.connection.cursor(connection) as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}")
        [(explanation,)] = cursor.fetchall()
        plan = explanation[0]["Plan"]
    nodes = [plan]
    while nodes:
        node = nodes.pop()
        nodes += node.get("Plans", [])
        if node["Node Type"] == "Seq Scan":
            yield node["Relation Name"]
