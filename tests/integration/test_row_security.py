"""The database itself keeps users apart: a query without WHERE sees the rows of one user."""

from __future__ import annotations

from contextlib import closing

import psycopg2
import pytest
from psycopg2 import errors
from psycopg2.sql import SQL, Identifier

from migrations.upkeep import RIGHTS, ROLE
from shared.db import fetch_rows
from shared.services import Services as Product
from shared.store.upkeep.row_security import is_bound
from tests.integration.row_security import application, full, list_owned
from tests.services import as_owner, owner_url

__all__ = ["full"]

# Rows may be added about anybody: they tell what an operator did to whose data.
OPEN_TO_ADDITIONS = {"audit_events"}
# Their rows refer to a message, and to the conversation together with its user.
OF_MESSAGES = {
    "message_embeddings",
    "unembedded_messages",
    "client_turns",
    "responses",
    "reply_variants",
    "attachments",
}
RUN_AS_OWNER = {
    "new_id",
    "own_messages_containing", "count_own_messages_containing", "own_passages_containing",
    "use_api_token", "find_share", "list_due_webhooks", "lease_webhook",
}  # fmt: skip
REFUSED = (errors.InsufficientPrivilege, errors.ForeignKeyViolation, errors.NullValueNotAllowed)
#: Columns that refer to a conversation, by table.
REFERENCES = {
    "messages": "conversation_id",
    "message_embeddings": "conversation_id",
    "unembedded_messages": "conversation_id",
    "memory": "conversation_id",
    "episodic_memory": "conversation_id",
    "fact_extractions": "conversation_id",
    "titles": "conversation_id",
    "tidyings": "conversation_id",
    "token_usage": "conversation_id",
    "responses": "conversation_id",
    "reply_variants": "conversation_id",
    "attachments": "conversation_id",
    "shares": "conversation_id",
    "structured_facts": "source_conversation_id",
}
TEXTS = (
    ("messages", "content"),
    ("messages", "trace"),
    ("messages", "words"),
    ("messages", "name"),
    ("memory", "memory_text"),
    ("memory", "points"),
    ("episodic_memory", "summary"),
    ("episodic_memory", "key_concepts"),
    ("episodic_memory", "words"),
    ("structured_facts", "value"),
    ("structured_facts", "former_key"),
    ("titles", "title"),
    ("reply_variants", "content"),
    ("reply_variants", "trace"),
    ("message_embeddings", "embedding"),
    ("message_embeddings", "token_signs"),
    ("kept_answers", "body"),
    ("attachments", "name"),
    ("file_passages", "text"),
    ("file_passages", "place"),
    ("file_passages", "words"),
    ("file_passages", "embedding"),
    ("file_passages", "token_signs"),
)


def test_every_table_of_users_is_secured_also_for_its_owner(product: Product) -> None:
    with as_owner(product) as connection:
        rows = fetch_rows(
            connection,
            """
            SELECT relname, relrowsecurity AND relforcerowsecurity AS is_secured,
                   ARRAY(SELECT polname::text FROM pg_policy WHERE polrelid = pg_class.oid
                         ORDER BY polname) AS policies
            FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
            """,
        )
    tables = {row["relname"]: row for row in rows}
    for table in list_owned(product):
        additions = ["additions"] if table in OPEN_TO_ADDITIONS else []
        assert tables[table]["is_secured"], table
        assert tables[table]["policies"] == [*additions, "own_rows", "upkeep"], table
    assert tables["tombstones"]["is_secured"]
    assert tables["tombstones"]["policies"] == ["additions", "upkeep"]


def test_a_query_without_where_sees_the_rows_of_one_user_in_every_table(full: Product) -> None:
    for table in list_owned(full):
        select = SQL("SELECT DISTINCT user_id FROM {}").format(Identifier(table))
        with as_owner(full) as connection:
            there = {row["user_id"] for row in fetch_rows(connection, select)}
        assert there == {"ada", "bob"}, f"{table}: the test needs rows of both"
        with application(full, "ada") as cursor:
            cursor.execute(select)
            assert cursor.fetchall() == [("ada",)], table


@pytest.mark.parametrize("user", [None, "", "nobody"])
def test_without_a_user_nothing_is_there(full: Product, user: str | None) -> None:
    with application(full, user) as cursor:
        for table in [*list_owned(full), "tombstones", "jobs", "long_term_memories"]:
            cursor.execute(SQL("SELECT count(*) FROM {}").format(Identifier(table)))
            assert cursor.fetchone() == (0,), table


def test_rows_of_another_are_neither_changed_nor_deleted(full: Product) -> None:
    for table in list_owned(full):
        for sql in ("DELETE FROM {} WHERE user_id <> 'ada'", "UPDATE {} SET user_id = user_id"):
            with application(full, "ada") as cursor:
                cursor.execute(SQL("SELECT count(*) FROM {}").format(Identifier(table)))
                [(row_count,)] = cursor.fetchall()
                cursor.execute(SQL(sql).format(Identifier(table)))
                assert cursor.rowcount == (0 if sql.startswith("DELETE") else row_count), table


def refuse(product: Product, user: str | None, sql: str, table: str, **args: object) -> None:
    """Postgres refuses the statement of this user, before it looks at anything else."""
    with application(product, user) as cursor, pytest.raises(REFUSED):
        cursor.execute(SQL(sql).format(Identifier(table)), args)


def test_no_row_is_written_for_another(full: Product) -> None:
    for table in list_owned(full):
        refuse(full, "ada", "UPDATE {} SET user_id = 'bob'", table)
        if table not in OPEN_TO_ADDITIONS:
            refuse(full, "ada", "INSERT INTO {} (user_id) VALUES ('bob')", table)


@pytest.mark.parametrize("user_id", [None, "ada"])
def test_nothing_is_added_to_a_conversation_of_another(full: Product, user_id: str | None) -> None:
    with application(full, "bob") as cursor:
        cursor.execute("SELECT conversation_id FROM conversations")
        [(theirs,)] = cursor.fetchall()
    sql = """
        INSERT INTO {} (user_id, conversation_id, start_sequence, end_sequence, status, lease_until)
        VALUES (%(named)s, %(theirs)s, 0, 1, 'failed', now())
    """
    refuse(full, "ada", sql, "titles", named=user_id, theirs=theirs)


def test_references_between_tables_of_users_carry_the_user(product: Product) -> None:
    owned = list_owned(product)
    with as_owner(product) as connection:
        rows = fetch_rows(
            connection,
            """
            SELECT conrelid::regclass::text AS source, confrelid::regclass::text AS target,
                   ARRAY(SELECT attname::text FROM pg_attribute
                         WHERE attrelid = conrelid AND attnum = ANY(conkey)) AS columns
            FROM pg_constraint WHERE contype = 'f'
            """,
        )
    bare = {
        (row["source"], row["target"])
        for row in rows
        if row["source"] in owned and row["target"] in owned and "user_id" not in row["columns"]
    }
    assert bare == {(table, "messages") for table in OF_MESSAGES}


def test_a_reference_to_a_row_of_another_fails_also_for_the_owner(full: Product) -> None:
    move = """
        UPDATE {} SET {} = (SELECT conversation_id FROM conversations WHERE user_id = 'bob')
        WHERE user_id = 'ada'
    """
    for table, column in REFERENCES.items():
        statement = SQL(move).format(Identifier(table), Identifier(column))
        with (
            closing(psycopg2.connect(owner_url(full.settings.database_url))) as connection,
            pytest.raises((errors.ForeignKeyViolation, errors.UniqueViolation)),
        ):
            connection.cursor().execute(statement)


def test_few_functions_run_as_the_owner_and_each_pins_its_names(product: Product) -> None:
    with as_owner(product) as connection:
        rows = fetch_rows(
            connection,
            """
            SELECT proname, proconfig, has_function_privilege('public', oid, 'EXECUTE') AS is_open
            FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace
            """,
        )
    assert {row["proname"] for row in rows} == RUN_AS_OWNER
    for row in rows:
        assert row["proconfig"] == ["search_path=pg_catalog, public, pg_temp"]
        assert not row["is_open"]


def test_views_show_what_their_reader_may_see(product: Product) -> None:
    with as_owner(product) as connection:
        rows = fetch_rows(
            connection,
            """
            SELECT relname, reloptions FROM pg_class
            WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace
            """,
        )
    assert {row["relname"] for row in rows} == {"jobs", "long_term_memories"}
    assert all(row["reloptions"] == ["security_invoker=true"] for row in rows)


def test_a_search_finds_the_messages_of_its_user(full: Product) -> None:
    search = "SELECT DISTINCT conversation_id FROM own_messages_containing('number', NULL, 99)"
    for user, count in (("ada", 1), ("bob", 1), ("nobody", 0), (None, 0)):
        with application(full, user) as cursor:
            cursor.execute("SELECT conversation_id FROM conversations")
            conversation_rows = cursor.fetchall()
            cursor.execute(search)
            assert cursor.fetchall() == conversation_rows
            assert len(conversation_rows) == count


def test_words_are_counted_in_the_messages_of_their_user(full: Product) -> None:
    with application(full, "ada") as cursor:
        cursor.execute("SELECT count(*) FROM own_messages_containing('number', NULL, NULL)")
        (with_word,) = cursor.fetchone() or (0,)
        cursor.execute("SELECT count(*) FROM messages")
        (message_count,) = cursor.fetchone() or (0,)
    assert 1 < with_word < message_count
    for query, most, ada in (
        ("number", None, with_word),
        ("number", 1, 1),
        ("!nowhere", 99, message_count),
    ):
        for user, count in (("ada", ada), ("nobody", 0), (None, 0)):
            with application(full, user) as cursor:
                cursor.execute("SELECT count_own_messages_containing(%s, %s)", (query, most))
                assert cursor.fetchone() == (count,), (query, user)


def test_a_search_finds_the_files_of_its_user(full: Product) -> None:
    search = """SELECT attachment_id FROM own_passages_containing('x', NULL)
                JOIN file_passages USING (passage_id)"""
    for user, count in (("ada", 1), ("bob", 1), ("nobody", 0), (None, 0)):
        with application(full, user) as cursor:
            cursor.execute("SELECT attachment_id FROM attachments")
            attachment_rows = cursor.fetchall()
            cursor.execute(search)
            assert cursor.fetchall() == attachment_rows
            assert len(attachment_rows) == count


def test_upkeep_reads_nothing_that_was_said_or_remembered(full: Product) -> None:
    for table, column in TEXTS:
        assert table in RIGHTS
        sql = SQL("SET LOCAL ROLE {}; SELECT {} FROM {}")
        read = sql.format(Identifier(ROLE), Identifier(column), Identifier(table))
        with application(full, None) as cursor, pytest.raises(errors.InsufficientPrivilege):
            cursor.execute(read)


def test_the_user_and_the_role_end_with_the_transaction(full: Product) -> None:
    with full.database.upkeep() as connection:
        assert len(fetch_rows(connection, "SELECT DISTINCT user_id FROM conversations")) == 2
    with full.database.transaction() as connection:
        assert fetch_rows(connection, "SELECT FROM conversations") == []
        [row] = fetch_rows(connection, "SELECT current_user = session_user AS is_itself")
        assert row["is_itself"]


def test_it_is_known_whether_the_policies_bind_a_role(full: Product) -> None:
    with full.database.transaction() as connection:
        assert is_bound(connection)
    with as_owner(full) as connection:
        assert not is_bound(connection)
