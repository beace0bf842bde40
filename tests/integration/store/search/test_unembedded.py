"""What waits for vectors: found by kind, with one question."""

from __future__ import annotations

import pytest

from shared.derivations.file_passages import cut_files
from shared.derivations.kinds import do_job
from shared.services import Services
from shared.store.search.unembedded import Waiting, find_waiting
from tests.embedding import embed_pending
from tests.integration.attachments.attaching import attach
from tests.integration.conversing import Conversing

NOTHING = Waiting(episodes=False, messages=False, files=False, passages=False)


@pytest.fixture(autouse=True)
def nothing_waits(product: Services) -> None:
    assert waiting(product) == NOTHING


def waiting(product: Services) -> Waiting:
    with product.database.upkeep() as connection:
        return find_waiting(connection)


def test_messages_wait_until_they_have_vectors(product: Services, conversing: Conversing) -> None:
    conversing.round("I live in Oslo.")
    assert waiting(product) == NOTHING._replace(messages=True)
    assert embed_pending(product) == 2
    assert waiting(product) == NOTHING


def test_an_episode_waits_until_it_has_a_vector(product: Services, conversing: Conversing) -> None:
    while not conversing.due_of("episode"):
        conversing.round("I live in Oslo.")
    embed_pending(product)
    assert waiting(product) == NOTHING  # it is not written yet
    do_job(product, "episode", conversing.due_of("episode")[-1])
    assert waiting(product) == NOTHING._replace(episodes=True)
    assert embed_pending(product) == 1
    assert waiting(product) == NOTHING


def test_a_file_waits_to_be_cut_and_then_its_passages(product: Services) -> None:
    attach(product, "The boiler was repaired in March.")
    assert waiting(product) == NOTHING._replace(messages=True, files=True)
    assert cut_files(product) == 1
    assert waiting(product) == NOTHING._replace(messages=True, passages=True)
    embed_pending(product)
    assert waiting(product) == NOTHING
