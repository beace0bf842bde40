"""Words that a user's messages hold, for typing errors: what they cost, and when they give up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shared.db import PgConnection, execute, fetch_row
from shared.models import Query
from shared.policy.ranking.spelling import UNSPACED, list_variants
from shared.recall.query import Reading, read_query
from shared.recall.spelling import MOST_WRONG, correct_spelling
from shared.services import Services
from shared.store.search import candidates, spelling
from tests.asking import make_query
from tests.integration.conversing import USER
from tests.integration.recall.test_messages import say
from tests.integration.store.recording import RecordingConnection, act_as
from tests.integration.store.test_plans import whole_reads
from tests.services import as_owner

BIG_TABLES = {"messages", "conversations", "episodic_memory"}
QUERY = make_query(user_id=USER)


def correct_thoroughly(connection: PgConnection, query: Query) -> Reading:
    """As the search page does, with an encoder that knows no word."""
    reading = read_query(connection, query)
    return correct_spelling(connection, reading, lambda word: False, is_thorough=True)


@pytest.mark.parametrize("user", ["small", "large"])
def test_no_correction_reads_what_others_have_said(filled: RecordingConnection, user: str) -> None:
    query = make_query(user_id=user)
    act_as(filled, user)
    candidates.prepare_search(filled)
    filled.sent.clear()
    assert spelling.list_unknown_words(filled, query, ["zebra"]) == ["zebra"]
    assert spelling.count_words_near(filled, query, "zebra", list_variants("zebra")) == {}
    assert spelling.count_words_like(filled, query, ["zeppelinn"]) == {}
    queries = [text.partition(";")[2] if text.startswith("SET") else text for text in filled.sent]
    statements = [text for text in queries if text.lstrip().startswith(("SELECT", "WITH"))]
    assert len(statements) == 3
    for statement in statements:
        assert BIG_TABLES.isdisjoint(whole_reads(filled, statement))


@pytest.mark.parametrize(("count", "scans"), [(1, 1), (MOST_WRONG, MOST_WRONG), (36, 0)])
def test_what_was_said_is_read_for_a_few_words_at_most(
    filled: RecordingConnection, count: int, scans: int
) -> None:
    nonsense = [f"xq{letter}{other}" for letter in "abcdef" for other in "ghijkl"][:count]
    filled.sent.clear()
    correct_thoroughly(filled, make_query(" ".join(nonsense), "large"))
    assert len([text for text in filled.sent if "fold(m.content) LIKE ALL" in text]) == scans


@pytest.mark.changes_schema
def test_a_text_that_takes_too_long_to_correct_stays_as_it_is(product: Services) -> None:
    say(product, "We met in Barcelona.")
    with as_owner(product) as connection:
        execute(
            connection,
            """
            ALTER FUNCTION owner_word RENAME TO owner_word_at_once;
            CREATE FUNCTION owner_word(user_id text) RETURNS text LANGUAGE plpgsql AS $$
            BEGIN PERFORM pg_sleep(60); RETURN owner_word_at_once(user_id); END $$
            """,
        )
        result = correct_thoroughly(connection, make_query("Barcelna", USER))
    assert (result.query.text, result.corrections, result.is_complete) == ("Barcelna", {}, False)


def test_who_has_said_too_much_is_not_corrected_and_goes_on(product: Services) -> None:
    say(product, "We met in Barcelona. " + "And so on. " * 150)
    with as_owner(product) as connection:
        execute(
            connection,
            """
            INSERT INTO messages (conversation_id, sequence_number, role, content, status)
            SELECT conversation_id, n, 'user', content, 'complete'
            FROM messages, generate_series(2, 400, 2) AS n WHERE sequence_number = 0
            """,
        )
        words = ["barcelna", "berceluna", "bazcelona"]
        assert spelling.count_words_like(connection, QUERY, words, timeout_s=0.001) == {}
        row = fetch_row(connection, "SHOW statement_timeout")
        assert row is not None
        assert row["statement_timeout"] == "15s"


def test_a_word_said_in_another_form_or_in_an_episode_is_said(product: Services) -> None:
    say(product, "She was running.")
    with as_owner(product) as connection:
        execute(
            connection,
            """
            INSERT INTO episodic_memory (user_id, conversation_id, turn_start, turn_end, summary,
                                         status, lease_until)
            SELECT user_id, conversation_id, 0, 1, 'A marathon.', 'completed', now()
            FROM conversations
            """,
        )
        words = ["runs", "marathons", "which", "swims"]
        assert spelling.list_unknown_words(connection, QUERY, words) == ["swims"]
        assert spelling.list_unknown_words(connection, replace(QUERY, is_message=True), words) == [
            "runs",
            "swims",
        ]


def test_what_is_off_the_record_teaches_no_words(product: Services) -> None:
    say(product, "We met in Barcelona.", mode="off")
    with as_owner(product) as connection:
        near = spelling.count_words_near(connection, QUERY, "barcelna", ["barcelona"])
        assert near == {}
        assert spelling.count_words_like(connection, QUERY, ["barcelna"]) == {}


def test_letters_that_are_searched_in_pairs_are_those_left_alone(product: Services) -> None:
    with as_owner(product) as connection:
        row = fetch_row(
            connection,
            """
            SELECT array_agg(n) FILTER (WHERE letter_pairs(chr(n)) <> '{}') AS paired
            FROM generate_series(160, 65535) AS n WHERE n NOT BETWEEN 55296 AND 57343
            """,
        )
    assert row is not None
    alone = [n for n in range(160, 65536) if UNSPACED.search(chr(n))]
    assert row["paired"] == alone
