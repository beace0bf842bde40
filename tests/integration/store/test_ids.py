"""Ids follow the time: they tell their owner nothing about what others do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from shared.db import fetch_rows
from shared.services import Services
from tests.services import as_owner

JAVASCRIPT_MAX = 2**53 - 1
COUNT = 500


def take(product: Services, count: int = COUNT) -> list[int]:
    with as_owner(product) as connection:
        rows = fetch_rows(
            connection, "SELECT new_id() AS id FROM generate_series(1, %(count)s)", count=count
        )
    return [row["id"] for row in rows]


def test_they_grow_in_a_session_and_javascript_can_hold_them(product: Services) -> None:
    ids = take(product)
    assert ids == sorted(set(ids))
    assert ids[-1] < JAVASCRIPT_MAX


def test_two_sessions_at_once_get_none_twice(product: Services) -> None:
    with ThreadPoolExecutor(4) as threads:
        all_ids = [
            new_id for ids in threads.map(lambda _: take(product), range(4)) for new_id in ids
        ]
    assert len(set(all_ids)) == 4 * COUNT


def test_their_last_bits_do_not_count(product: Services) -> None:
    """The numbers of one microsecond begin anywhere, so that steps between them are no count."""
    steps = {
        (after - before) % 8 for before, after in zip(take(product), take(product), strict=True)
    }
    assert len(steps) == 8


def test_no_shown_id_is_of_a_sequence(product: Services) -> None:
    with as_owner(product) as connection:
        rows = fetch_rows(
            connection,
            """
            SELECT table_name || '.' || column_name AS place FROM information_schema.columns
            WHERE table_schema = 'public'
              AND (is_identity = 'YES' OR column_default LIKE 'nextval%%')
            """,
        )
    assert {row["place"] for row in rows} == {
        "file_passages.passage_id",  # no answer has it
        "site_models.model_id",  # operators' alone
        "tombstones.tombstone_id",
        "tombstones.fencing_token",
        "uncut_files.ticket",
        "unembedded_messages.ticket",
    }
