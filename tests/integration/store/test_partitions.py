"""What docs/scaling.md says of users' tables that are hash-partitioned by `user_id`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bench.partitioned_schema import Widened
from bench.partitions import count_partitions, list_conflicts, play_rounds, prepare
from tests.services import Services, as_application

PARTITIONS = 4
#: Through a view that joins four tables, which Postgres does not prune at the start of a query.
BY_VIEW = {"jobs", "jobs counted", "a job in progress"}


@pytest.fixture(scope="module")
def partitioned(services: Services) -> Iterator[tuple[str, Widened]]:
    with services.databases.copy() as url:
        yield url, prepare(url, PARTITIONS)


def test_every_foreign_key_to_a_conversation_carries_the_user(
    partitioned: tuple[str, Widened],
) -> None:
    _, widened = partitioned
    assert {key.partition(": ")[2] for key in widened.foreign_keys} == {
        f"{table}_conversation_id_sequence_number_fkey (conversation_id, sequence_number)"
        for table in (
            "attachments",
            "client_turns",
            "message_embeddings",
            "reply_variants",
            "responses",
            "unembedded_messages",
        )
    }


def test_the_policies_lead_each_statement_of_recall_to_one_partition(
    partitioned: tuple[str, Widened],
) -> None:
    url, _ = partitioned
    counts = count_partitions(as_application(url))
    assert {name for name, count in counts.items() if count > 1} == BY_VIEW


def test_a_round_is_written_once_its_keys_and_owners_are_known_before_it(
    partitioned: tuple[str, Widened],
) -> None:
    url, _ = partitioned
    as_it_is, with_keys, with_owners = play_rounds(url).values()
    assert "ON CONFLICT" in as_it_is
    assert "BEFORE FOR EACH ROW trigger" in with_keys
    assert with_owners.startswith("written")
    assert len(list_conflicts()) == 11
