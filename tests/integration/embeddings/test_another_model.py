"""Use another model by its setting: a folder whose vocabulary differs from MiniLM's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.db import fetch_rows
from shared.derivations.embedding import reembed
from shared.embeddings.model_properties import model_name
from shared.services import Services
from tests.embedding import BulkEncoder, embed_pending
from tests.integration.recall.test_messages import ask, say
from tests.services import MakeSettings, as_owner


@pytest.fixture
def on_tiny(make_settings: MakeSettings, tiny_model: Path) -> Iterator[Services]:
    services = Services(make_settings(embedding_model=str(tiny_model)))
    yield services
    services.close()


def models_of(product: Services) -> set[str]:
    with as_owner(product) as connection:
        rows = fetch_rows(connection, "SELECT embedding_model FROM message_embeddings")
    return {row["embedding_model"] for row in rows}


def test_what_is_said_is_embedded_and_found_by_the_model_that_is_set(on_tiny: Services) -> None:
    say(on_tiny, "图书馆")
    assert embed_pending(on_tiny) == 2
    assert models_of(on_tiny) == {model_name(on_tiny.settings)}
    assert ask(on_tiny, "图书馆", BulkEncoder(on_tiny))[0].text == "图书馆"


def test_a_question_of_the_same_pieces_has_the_same_vector(on_tiny: Services) -> None:
    """This model is untrained: its similarities mean nothing, and only words can find."""
    say(on_tiny, "你好")
    embed_pending(on_tiny)
    question = BulkEncoder(on_tiny).encode("你 好", 5)
    assert question is not None
    assert question.calibration.trust < 0.5
    with as_owner(on_tiny) as connection:
        rows = fetch_rows(
            connection,
            "SELECT min(embedding <=> %(vector)s) AS distance FROM message_embeddings",
            vector=question.vector,
        )
    assert rows[0]["distance"] < 0.001


def test_vectors_of_the_model_before_are_replaced(product: Services, on_tiny: Services) -> None:
    say(on_tiny, "你好")
    embed_pending(on_tiny)
    assert reembed(product) == 2
    assert models_of(product) == {model_name(product.settings)}
