"""The search's plans: a rare word leads through the index, a part of one through the user's own."""

from __future__ import annotations

import psycopg2
import pytest

from shared.db import execute
from shared.store.search import hits
from tests.asking import make_query
from tests.integration.store.recording import RecordingConnection
from tests.integration.store.test_plans import whole_reads

BIG_TABLES = {"messages", "conversations"}


@pytest.fixture
def with_zebras(filled: RecordingConnection) -> RecordingConnection:
    """A rare word in some of everyone's conversations."""
    execute(
        filled,
        """
        UPDATE messages SET content = 'A zebra'
        WHERE sequence_number = 4 AND right(conversation_id::text, 2) = '02';
        ANALYZE messages
        """,
    )
    return filled


def plan_of(connection: RecordingConnection) -> str:
    """Of the newest statement."""
    statement = connection.sent[-1]
    with psycopg2.extensions.connection.cursor(connection) as cursor:
        cursor.execute(f"EXPLAIN {statement}")
        return "\n".join(line for (line,) in cursor.fetchall())


def test_words_are_looked_up_in_their_index(with_zebras: RecordingConnection) -> None:
    found = hits.search_by_words(with_zebras, make_query("zebra", "large"), 10)
    assert [message.content for message in found] == ["A zebra"] * 4
    assert "messages_words" in plan_of(with_zebras)


@pytest.mark.parametrize("user", ["small", "large"])
def test_no_search_reads_what_others_have_said(with_zebras: RecordingConnection, user: str) -> None:
    with_zebras.sent.clear()
    query = make_query("zebra", user)
    found = hits.search_by_words(with_zebras, query, 10)
    assert hits.search_by_parts(with_zebras, query, ["ebr"], 10) == found
    by_words, by_parts = with_zebras.sent
    assert BIG_TABLES.isdisjoint(whole_reads(with_zebras, by_words))
    if user == "small":
        assert BIG_TABLES.isdisjoint(whole_reads(with_zebras, by_parts))
