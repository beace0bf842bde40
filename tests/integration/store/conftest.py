"""A database with a small user, a large one and a hundred others: filled once, copied per test."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg2
import pytest
from pgvector.psycopg2 import register_vector
from psycopg2.extensions import parse_dsn

from tests.integration.store.recording import RecordingConnection
from tests.services import Services, as_application

FILL = """
    INSERT INTO users SELECT 'user' || n FROM generate_series(0, 99) n;
    INSERT INTO users VALUES ('small'), ('large');
    INSERT INTO conversations (conversation_id, user_id, agent, mode, last_sequence)
    SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
           CASE WHEN n <= 3 THEN 'small' WHEN n <= 403 THEN 'large' ELSE 'user' || n % 100 END,
           'general', 'active', 19
    FROM generate_series(1, 2000) n;
    INSERT INTO messages (conversation_id, sequence_number, role, content, status)
    SELECT conversation_id, n, CASE n % 2 WHEN 0 THEN 'user' ELSE 'assistant' END,
           'word' || n || ' of it', 'complete'
    FROM conversations, generate_series(0, 19) n;
    INSERT INTO message_embeddings
    SELECT user_id, conversation_id, sequence_number, v.vector, 'm'
    FROM messages,
         (SELECT array_agg(random())::halfvec AS vector FROM generate_series(1, 384)) v
    WHERE sequence_number < 4;
    INSERT INTO memory (conversation_id, start_sequence, end_sequence, status, lease_until,
                        memory_text, points)
    SELECT conversation_id, 0, n, 'completed', now(), '-', '[]'
    FROM conversations, generate_series(5, 19, 2) n;
    INSERT INTO episodic_memory (user_id, conversation_id, turn_start, turn_end, status,
                                 lease_until, summary, embedding, embedding_model)
    SELECT user_id, conversation_id, n * 5, n * 5 + 4, 'completed', now(),
           'word' || row_number() OVER (), v.vector, 'm'
    FROM conversations, generate_series(0, 1) n,
         (SELECT array_agg(random())::vector AS vector FROM generate_series(1, 384)) v;
    INSERT INTO structured_facts (user_id, category, key, value, confidence, importance,
                                  confirmed_at_turn)
    SELECT user_id, 'identity', 'key_' || n, 'value', 1, random(), 1
    FROM users, generate_series(1, 60) n;
    ANALYZE;
"""


@pytest.fixture(scope="session")
def filled_template(services: Services) -> Iterator[str]:
    """The name of the database that is copied. Nobody may be connected to it."""
    with services.databases.copy() as url:
        connection = psycopg2.connect(url)
        try:
            with connection, connection.cursor() as cursor:
                cursor.execute(FILL)
        finally:
            connection.close()
        yield parse_dsn(url)["dbname"]


@pytest.fixture
def filled_url(services: Services, filled_template: str) -> Iterator[str]:
    """The database's owner's."""
    with services.databases.copy(filled_template) as url:
        yield url


@pytest.fixture
def filled(filled_url: str) -> Iterator[RecordingConnection]:
    """Signed in as the application."""
    url = as_application(filled_url)
    connection = psycopg2.connect(url, connection_factory=RecordingConnection)
    with psycopg2.connect(url) as plain:
        register_vector(plain, globally=True)
    plain.close()
    yield connection
    connection.close()
