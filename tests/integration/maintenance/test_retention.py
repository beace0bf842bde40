"""What goes after a while, what stays, and that the rest is whole afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from shared.db import fetch_row, fetch_rows
from shared.maintenance.retention import retire
from shared.maintenance.verify import find_breaches
from shared.models.job_kinds import DERIVATIONS
from shared.services import Services
from shared.store import imports
from tests.integration.conversing import Conversing
from tests.integration.worker import count_rows, run_sql, work_off
from tests.services import MakeSettings, as_owner

MakeProduct = Callable[..., Services]

ROUNDS = 6
AGE_ALL = """
    UPDATE memory SET finished_at = finished_at - interval '1000 days';
    UPDATE episodic_memory SET finished_at = finished_at - interval '1000 days';
    UPDATE fact_extractions SET finished_at = finished_at - interval '1000 days';
    UPDATE titles SET finished_at = finished_at - interval '1000 days';
    UPDATE messages SET created_at = created_at - interval '1000 days';
    UPDATE imports SET finished_at = finished_at - interval '1000 days';
"""
FAIL_ONE_OF_EACH = """
    INSERT INTO memory (conversation_id, start_sequence, end_sequence, status, lease_until,
                        finished_at)
    SELECT conversation_id, 0, 5, 'failed', now(), now() FROM conversations;
    INSERT INTO episodic_memory (user_id, conversation_id, turn_start, turn_end, status,
                                 lease_until, finished_at)
    SELECT user_id, conversation_id, 0, 5, 'failed', now(), now() FROM conversations;
    INSERT INTO fact_extractions (user_id, conversation_id, start_sequence, end_sequence, status,
                                  lease_until, finished_at)
    SELECT user_id, conversation_id, 0, 5, 'failed', now(), now() FROM conversations;
    INSERT INTO titles (conversation_id, start_sequence, end_sequence, status, lease_until,
                        finished_at)
    SELECT conversation_id, 0, 1, 'failed', now(), now() FROM conversations;
"""
UNTOUCHED = ("users", "conversations", "messages", "memory", "episodic_memory", "structured_facts")


@pytest.fixture
def make_product(make_settings: MakeSettings) -> Iterator[MakeProduct]:
    """`make_product(keep_summary_versions_days=1)`, with short episodes."""
    products: list[Services] = []

    def make(**overrides: object) -> Services:
        short: dict[str, object] = {"episode_trigger_turns": 4}
        products.append(Services(make_settings(**(short | overrides))))
        return products[-1]

    yield make
    for product in products:
        product.close()


def converse(product: Services, rounds: int = ROUNDS) -> Conversing:
    """Rounds whose jobs are done after each, so that there are as many rows as rounds."""
    conversing = Conversing(product)
    for number in range(rounds):
        open_round = conversing.open(f"I live in town {number}.", idempotency_key=f"key {number}")
        conversing.close(open_round)
        work_off(product)
    return conversing


def age_all(product: Services) -> None:
    run_sql(product, AGE_ALL)


def spans(product: Services, table: str) -> list[tuple[int, int]]:
    """Of completed rows."""
    query = f"""SELECT start_sequence, end_sequence FROM {table}
                WHERE status = 'completed' ORDER BY end_sequence"""  # noqa: S608 - a name of our own
    with as_owner(product) as connection:
        rows = fetch_rows(connection, query)
    return [(row["start_sequence"], row["end_sequence"]) for row in rows]


def count(product: Services, query: str) -> int:
    with as_owner(product) as connection:
        row = fetch_row(connection, f"SELECT count(*) AS count FROM {query}")  # noqa: S608 - our own
    assert row is not None
    return int(row["count"])


def count_failed(product: Services) -> int:
    return count(product, "jobs WHERE state = 'failed'")


def count_keys(product: Services) -> int:
    return count(product, "messages WHERE idempotency_key IS NOT NULL")


def assert_whole(product: Services) -> None:
    assert find_breaches(product.database, product.settings, quiet=True) == []


def test_what_is_young_stays(make_product: MakeProduct) -> None:
    product = make_product(keep_summary_versions_days=1)
    converse(product)
    run_sql(product, FAIL_ONE_OF_EACH)
    before = count_rows(product)
    retire(product)
    assert count_rows(product) == before
    assert count_failed(product) == 4
    assert count_keys(product) == ROUNDS


def test_failed_jobs_go_and_nothing_that_was_made(make_product: MakeProduct) -> None:
    product = make_product()
    converse(product)
    before = count_rows(product)
    run_sql(product, FAIL_ONE_OF_EACH)
    age_all(product)
    retire(product)
    after = count_rows(product)
    assert count_failed(product) == 0
    assert {name: after[name] for name in UNTOUCHED} == {name: before[name] for name in UNTOUCHED}
    assert_whole(product)


def test_old_readings_are_joined_and_nothing_is_read_again(make_product: MakeProduct) -> None:
    product = make_product()
    conversing = converse(product)
    assert spans(product, "fact_extractions") == [(0, 0), (1, 2), (3, 4), (5, 6), (7, 8), (9, 10)]
    age_all(product)
    retire(product)
    assert spans(product, "fact_extractions") == [(0, 8), (9, 10)]
    assert_whole(product)
    conversing.round("And now in another town.")
    work_off(product)
    assert spans(product, "fact_extractions") == [(0, 8), (9, 10), (11, 12)]
    assert_whole(product)


def test_readings_are_joined_portion_by_portion(
    make_product: MakeProduct,
) -> None:
    product = make_product()
    converse(product)
    age_all(product)
    for left in (5, 4, 3, 2, 2):
        retire(product, portion=1, portions=1)
        assert len(spans(product, "fact_extractions")) == left
        assert_whole(product)


def test_summaries_stay_unless_the_operator_has_set_otherwise(make_product: MakeProduct) -> None:
    product = make_product()
    converse(product)
    age_all(product)
    retire(product)
    assert spans(product, "memory") == [(0, 5), (0, 7), (0, 9), (0, 11)]
    bounded = make_product(keep_summary_versions_days=30)
    retire(bounded)
    assert spans(product, "memory") == [(0, 9), (0, 11)]
    assert_whole(product)


def test_keys_go_and_their_messages_stay(make_product: MakeProduct) -> None:
    product = make_product()
    converse(product)
    age_all(product)
    retire(product)
    assert count_keys(product) == 0
    assert count_rows(product)["messages"] == 2 * ROUNDS


def test_reports_of_imports_go_and_their_conversations_stay(make_product: MakeProduct) -> None:
    product = make_product()
    conversing = converse(product, rounds=1)
    with as_owner(product) as connection:
        done = imports.start_import(connection, conversing.user_id)
        imports.finish_import(connection, done, "done", None)
        imports.start_import(connection, conversing.user_id)
    run_sql(product, "UPDATE conversations SET import_id = %(done)s", done=done)
    age_all(product)
    retire(product)
    assert count(product, "imports") == 1
    assert count_rows(product)["conversations"] == 1


def test_every_table_of_jobs_is_looked_through(product: Services) -> None:
    query = """SELECT table_name FROM information_schema.columns
               JOIN information_schema.tables USING (table_schema, table_name)
               WHERE column_name = 'dispatch_count' AND table_type = 'BASE TABLE'"""
    with as_owner(product) as connection:
        names = {row["table_name"] for row in fetch_rows(connection, query)}
    assert names == {derivation.table for derivation in DERIVATIONS.values()}
