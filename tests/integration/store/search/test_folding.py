"""The database folds as Python does, and indexes older chats again."""

from __future__ import annotations

import unicodedata

import pytest

from shared.db import PgConnection, execute, fetch_row, fetch_tuples
from shared.maintenance.sweep import sweep
from shared.policy.folding import fold
from shared.services import Services
from tests.integration.recall.test_messages import say
from tests.services import as_owner

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


@pytest.mark.changes_schema
def test_older_chats_are_indexed_again_without_new_vectors(product: Services) -> None:
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
    say(product, "Das Café ist schön.")
    with as_owner(product) as owner:
        execute(owner, row["definition"])
        execute(
            owner,
            """
            DELETE FROM unembedded_messages;
            INSERT INTO unfolded_conversations SELECT conversation_id, user_id FROM conversations
            """,
        )
        assert _count(owner, "messages WHERE words @@ 'cafe'") == 0
    sweep(product)
    with as_owner(product) as owner:
        assert _count(owner, "messages WHERE words @@ 'cafe & schön & schon'") == 1
        assert _count(owner, "unfolded_conversations") == 0
        assert _count(owner, "unembedded_messages") == 0


def _count(connection: PgConnection, rows: str) -> int:
    row = fetch_row(connection, f"SELECT count(*) AS count FROM {rows}")  # noqa: S608
    assert row is not None
    return int(row["count"])
