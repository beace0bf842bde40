"""What waits for a vector, and in which order it gets one."""

from __future__ import annotations

from shared.services import Services
from shared.store.search import message_vectors
from tests.integration.conversing import Conversing
from tests.services import as_owner

ROUNDS = 20
BATCH = 8


def texts_of_a_batch(product: Services, limit: int) -> list[str]:
    with as_owner(product) as connection:
        listed = message_vectors.list_unembedded(connection, limit)
        return [
            message.text
            for tickets in listed.values()
            for message in message_vectors.read_unembedded(connection, tickets, 99)
        ]


def test_what_was_said_last_does_not_wait_until_all_before_it_is_embedded(
    product: Services, conversing: Conversing
) -> None:
    for number in range(ROUNDS):
        conversing.round(f"Imported {number}")
    Conversing(product).round("Said just now")
    batch = texts_of_a_batch(product, BATCH)
    assert len(batch) == BATCH
    assert "Said just now" in batch
    assert "Imported 0" in batch


def test_a_batch_holds_nothing_twice_and_leaves_nothing_out(
    product: Services, conversing: Conversing
) -> None:
    for number in range(2):
        conversing.round(f"Said {number}")
    assert sorted(texts_of_a_batch(product, BATCH)) == [
        "Reply 1.", "Reply 3.", "Said 0", "Said 1",
    ]  # fmt: skip
    assert len(texts_of_a_batch(product, 1)) == 1
