"""Rows of two users in every table, and what the application sees of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg2
import pytest
from psycopg2.extensions import cursor as Cursor  # noqa: N812 - a type

from shared.db import execute, fetch_rows
from shared.models import UserId
from shared.services import Services as Product
from tests.integration.conversing import Conversing
from tests.integration.worker import work_off
from tests.services import as_owner

# Tables that no user owns, each with the reason.
NOT_OWNED = {
    "alembic_version": "the schema's",
    "accounts": "read before it is known who asks",
    "account_sessions": "read before it is known who asks",
    "account_links": "read before it is known who asks",
    "recovery_codes": "they belong to an account, and are compared while it signs in",
    "backups": "the site's: when it was last backed up",
    "site": "the site's: its id",
    "request_limits": "the site's: what models' servers refuse",
    "examinations": "the site's: memory's jobs read how models did",
    "id_salt": "the site's: it hides how many ids are given",
    "site_models": "the site's: operators write them, and every round reads them",
    "tombstones": "they outlive their user and name nobody; the application may only add some",
}

# What rounds and jobs do not write by themselves.
FILL = """
    INSERT INTO api_tokens (user_id, name, prefix, token_hash, scopes)
    SELECT user_id, 'n', 'tl_', sha256(user_id::bytea), '{}' FROM users;
    INSERT INTO events (user_id, type, data) SELECT user_id, 'fact.learned', '{}' FROM users;
    INSERT INTO personas (user_id, name, instructions, mode)
    SELECT user_id, 'n', 'x', 'active' FROM users;
    INSERT INTO projects (user_id, name) SELECT user_id, 'n' FROM users;
    INSERT INTO prompts (user_id, name, text) SELECT user_id, 'n', 'x' FROM users;
    INSERT INTO webhooks (user_id, url, event_types, secret)
    SELECT user_id, 'https://example.org', '{}', '' FROM users;
    INSERT INTO webhook_deliveries (user_id, webhook_id, event_id)
    SELECT user_id, webhook_id, event_id FROM webhooks JOIN events USING (user_id)
    WHERE type = 'fact.learned' AND data = '{}';
    INSERT INTO audit_events (user_id, action) SELECT user_id, 'x' FROM users;
    INSERT INTO imports (user_id) SELECT user_id FROM users;
    INSERT INTO client_turns (conversation_id, sequence_number, user_id, digest)
    SELECT conversation_id, sequence_number, user_id, 'd' FROM messages;
    INSERT INTO reply_variants
        (user_id, conversation_id, sequence_number, variant, content, status, created_at)
    SELECT user_id, conversation_id, sequence_number, 2, 'x', 'complete', now()
    FROM messages WHERE role = 'assistant';
    INSERT INTO attachments
        (user_id, conversation_id, sequence_number, name, kind, media_type, byte_count)
    SELECT user_id, conversation_id, sequence_number, 'n', 'text', 'text/plain', 1
    FROM messages WHERE sequence_number = 0;
    INSERT INTO attachment_contents (attachment_id, user_id, content)
    SELECT attachment_id, user_id, 'x' FROM attachments;
    INSERT INTO file_passages (attachment_id, number, user_id, text, is_off_record)
    SELECT attachment_id, 0, user_id, 'x', false FROM attachments;
    INSERT INTO unfolded_conversations (conversation_id, user_id)
    SELECT conversation_id, user_id FROM conversations;
    INSERT INTO uncut_files (attachment_id, user_id)
    SELECT attachment_id, user_id FROM attachments;
    INSERT INTO responses (response_id, conversation_id, sequence_number, user_id, request)
    SELECT 'resp_' || user_id || sequence_number, conversation_id, sequence_number, user_id, '{}'
    FROM messages;
    INSERT INTO shares (user_id, conversation_id, token_hash, until_sequence)
    SELECT user_id, conversation_id, sha256(user_id::bytea), 1 FROM conversations;
    INSERT INTO kept_answers (user_id, key_hash, held_until)
    SELECT user_id, sha256('k'), now() FROM users;
    INSERT INTO oauth_grants (user_id, client_hash, client_name, scopes, redirect_uri,
                              names_redirect, code_challenge, secret_hash, token_id, expires_at)
    SELECT user_id, sha256('c'), 'c', '{}', 'https://example.org', true, 'x',
           sha256(user_id::bytea), token_id, now() FROM api_tokens;
    INSERT INTO structured_facts (user_id, source_conversation_id, category, key, value, confidence,
                                  importance, confirmed_at_turn)
    SELECT user_id, conversation_id, 'identity', 'shoe_size', '42', 1, 1, 1 FROM conversations;
    INSERT INTO tidyings (user_id, conversation_id, start_sequence, end_sequence, status,
                          lease_until, finished_at)
    SELECT user_id, conversation_id, 0, 0, 'completed', now(), now() FROM conversations;
    INSERT INTO fact_suggestions (user_id, category, key, value, fingerprint, confidence,
                                  importance, said_at)
    SELECT user_id, 'identity', 'pet', 'Rex', 'f', 1, 1, now() FROM users;
    INSERT INTO forgotten_facts (user_id, category, key, fingerprint, said_until)
    SELECT user_id, 'identity', 'pet', 'f', now() FROM users;
    INSERT INTO token_usage (conversation_id, purpose, model, calls, tokens_in, tokens_out)
    SELECT conversation_id, 'test', 'm', 1, 1, 1 FROM conversations;
    INSERT INTO message_embeddings
    SELECT user_id, conversation_id, sequence_number,
           array_fill(0.1::real, ARRAY[384])::halfvec, 'm' FROM messages;
    INSERT INTO unembedded_messages (conversation_id, sequence_number)
    SELECT conversation_id, sequence_number FROM messages ON CONFLICT DO NOTHING;
"""


@pytest.fixture
def full(product: Product) -> Product:
    """Rows of two users in every table."""
    for user in ("ada", "bob"):
        talk = Conversing(product, user_id=UserId(user))
        for number in range(11):
            talk.round(f"My name is {user.title()}, and my favourite number is {number}.")
    work_off(product)
    with as_owner(product) as connection:
        execute(connection, FILL)
    return product


@contextmanager
def application(product: Product, user: str | None) -> Iterator[Cursor]:
    """A plain connection as the application's role, which keeps nothing."""
    with closing(psycopg2.connect(product.settings.database_url)) as connection:
        cursor = connection.cursor()
        if user is not None:
            cursor.execute("SELECT set_config('throughline.user_id', %s, true)", (user,))
        yield cursor
        connection.rollback()


def list_owned(product: Product) -> list[str]:
    """All tables but those of `NOT_OWNED`."""
    with as_owner(product) as connection:
        rows = fetch_rows(
            connection,
            """
            SELECT relname FROM pg_class
            WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
            """,
        )
    return sorted({row["relname"] for row in rows} - set(NOT_OWNED))
