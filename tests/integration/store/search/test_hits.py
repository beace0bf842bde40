"""The search's plans: a rare word leads through the index, a part of one through the user's own."""

from __future__ import annotations

from contextlib import closing

import psycopg2
import pytest

from shared.db import execute
from shared.models import SearchFilter
from shared.store.search import hits
from tests.asking import make_query
from tests.integration.store.recording import RecordingConnection, act_as, count_scans
from tests.integration.store.test_plans import whole_reads

BIG_TABLES = {"messages", "conversations"}


@pytest.fixture
def with_zebras(filled: RecordingConnection, filled_url: str) -> RecordingConnection:
    """A rare word in some of everyone's conversations."""
    with closing(psycopg2.connect(filled_url)) as owner, owner:
        execute(
            owner,
            """
            UPDATE messages SET content = 'A zebra'
            WHERE sequence_number = 4 AND right(conversation_id::text, 2) = '02';
            ANALYZE messages
            """,
        )
    return filled


def test_words_are_looked_up_in_their_index(with_zebras: RecordingConnection) -> None:
    act_as(with_zebras, "large")
    messages = hits.search_by_words(with_zebras, make_query("zebra", "large"), SearchFilter(), 10)
    assert [message.content for message in messages] == ["A zebra"] * 4
    assert count_scans(with_zebras, "messages_words") == 1
    assert count_scans(with_zebras, "messages") == 0  # it was never read from end to end


@pytest.mark.parametrize("user", ["small", "large"])
def test_no_search_reads_what_others_have_said(with_zebras: RecordingConnection, user: str) -> None:
    act_as(with_zebras, user)
    query = make_query("zebra", user)
    messages = hits.search_by_words(with_zebras, query, SearchFilter(), 10)
    assert hits.search_by_parts(with_zebras, query.with_text("ebr"), SearchFilter(), 10) == messages
    by_words, by_parts = with_zebras.sent
    assert BIG_TABLES.isdisjoint(whole_reads(with_zebras, by_words))
    assert count_scans(with_zebras, "messages_words") == 1
    if user == "small":
        assert BIG_TABLES.isdisjoint(whole_reads(with_zebras, by_parts))
