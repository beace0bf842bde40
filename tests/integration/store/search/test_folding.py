"""The database folds as Python does, and indexes older chats again."""

from __future__ import annotations

import unicodedata

import pytest

from shared.db import PgConnection, execute, fetch_row, fetch_tuples
from shared.maintenance.sweep import sweep
from shared.models import ConversationId
from shared.policy.folding import fold
from shared.services import Services
from shared.store.search import unfolded
from tests.integration.conversing import Conversing
from tests.services import as_owner

ROUNDS = 3
FOLDED = "messages WHERE words @@ 'cafe & schön & schon'"
UNUSED = ("Cn", "Co", "Cs")  # categories of code points that are no letters


def test_postgres_folds_every_letter_as_python_does(product: Services) -> None:
    letters = [chr(number) for number in range(0x20, 0x30000)]
    letters = [letter for letter in letters if unicodedata.category(letter) not in UNUSED]
    with as_owner(product) as owner:
        rows = fetch_tuples(
            owner,
            "SELECT letter, fold(letter) FROM unnest(%(letters)s::text[]) AS letter",
            letters=letters,
        )
    assert [letter for letter, folded in rows if fold(letter) != folded] == []
    assert len(rows) == len(letters) > 100_000


@pytest.fixture
def chat(product: Services) -> ConversationId:
    """A chat that was stored before words were folded."""
    with as_owner(product) as owner:
        row = fetch_row(owner, "SELECT pg_get_functiondef('said_words'::regproc) AS definition")
        assert row is not None
        execute(
            owner,
            """
            CREATE OR REPLACE FUNCTION said_words(said text) RETURNS tsvector
            LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN to_tsvector('english', said)
            """,
        )
    talk = Conversing(product)
    for _ in range(ROUNDS):
        talk.round("Das Café ist schön.")
    with as_owner(product) as owner:
        execute(owner, row["definition"])
        execute(
            owner,
            """
            DELETE FROM unembedded_messages;
            INSERT INTO unfolded_conversations SELECT conversation_id, user_id FROM conversations
            """,
        )
        assert _count(owner, FOLDED) == 0
    assert talk.conversation_id is not None
    return talk.conversation_id


@pytest.mark.changes_schema
def test_the_sweep_indexes_older_chats_again_without_new_vectors(
    product: Services, chat: ConversationId
) -> None:
    sweep(product)
    sweep(product)
    with as_owner(product) as owner:
        assert _count(owner, FOLDED) == ROUNDS
        assert _count(owner, "unfolded_conversations") == 0
        assert _count(owner, "unembedded_messages") == 0


@pytest.mark.changes_schema
def test_a_long_chat_is_indexed_step_by_step(product: Services, chat: ConversationId) -> None:
    with as_owner(product) as owner:
        for count in range(1, ROUNDS + 1):
            unfolded.index_again(owner, chat, 2)  # a message and its reply
            assert _count(owner, FOLDED) == count
        assert _count(owner, "unfolded_conversations") == 1
        unfolded.index_again(owner, chat, 2)
        assert _count(owner, "unfolded_conversations") == 0


def _count(connection: PgConnection, rows: str) -> int:
    row = fetch_row(connection, f"SELECT count(*) AS count FROM {rows}")  # noqa: S608
    assert row is not None
    return int(row["count"])
