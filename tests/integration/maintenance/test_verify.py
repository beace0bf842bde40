"""Checking the invariants: a used database breaks none, and a breach is found."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shared.db import execute
from shared.derivations.kinds import do_job
from shared.maintenance.verify import find_breaches
from shared.services import Services
from tests.embedding import embed_pending
from tests.integration.conversing import Conversing
from tests.services import MakeSettings, as_owner


@pytest.fixture
def lived_in(make_settings: MakeSettings) -> Iterator[Services]:
    """A database with a conversation in it, whose jobs are all done."""
    product = Services(make_settings(memory_window_limit=5))
    conversing = Conversing(product)
    for number in range(10):
        conversing.round(f"My favourite number is {number}.")
        for due in conversing.due:
            do_job(product, due.kind, due.job_id)
        conversing.due.clear()
    embed_pending(product)
    yield product
    product.close()


def breaches(product: Services, *, quiet: bool = True) -> set[str]:
    return {
        breach.invariant
        for breach in find_breaches(product.database, product.settings, quiet=quiet)
    }


def test_a_database_that_was_lived_in_breaks_nothing(lived_in: Services) -> None:
    assert breaches(lived_in) == set()


@pytest.mark.parametrize(
    ("damage", "invariant"),
    [
        ("DELETE FROM messages WHERE sequence_number = 4", "sequence numbers have no holes"),
        (
            "UPDATE conversations SET last_sequence = 17",
            "a conversation ends with its last closed reply",
        ),
        (
            "DELETE FROM episodic_memory WHERE turn_start = 5",
            "episodes leave no hole",
        ),
        (
            "DELETE FROM fact_extractions WHERE start_sequence BETWEEN 3 AND 9",
            "facts were read without a hole",
        ),
        (
            "UPDATE memory SET end_sequence = 15 WHERE end_sequence = 13",
            "no two summaries cover the same messages",
        ),
        (
            """
            INSERT INTO memory
                (conversation_id, start_sequence, end_sequence, status, lease_until)
            SELECT conversation_id, 0, 5, 'processing', now() - interval '1 h'
            FROM conversations
            """,
            "no job is stuck past its lease",
        ),
        ("DELETE FROM memory WHERE end_sequence > 13", "summaries have caught up"),
        ("DELETE FROM episodic_memory", "episodes have caught up"),
        ("DELETE FROM fact_extractions WHERE end_sequence > 9", "facts have caught up"),
        ("UPDATE episodic_memory SET embedding = NULL", "episodes are embedded"),
        (
            "UPDATE conversations SET title = NULL; DELETE FROM titles",
            "conversations have a title, or could be given none",
        ),
    ],
)
def test_a_breach_is_seen(lived_in: Services, damage: str, invariant: str) -> None:
    with as_owner(lived_in) as connection:
        execute(connection, damage)
    assert invariant in breaches(lived_in)
