"""Made-up users for `bench.recall.cost`: vectors of mixed subjects, words by Zipf's law.

Postgres makes the rows itself with triggers off: a million take minutes. Each user's messages mix
twenty of 300 subjects. Independent noise would have no neighbours: in 384 dimensions all of it is
about equally far apart, and texts are not.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from shared.db import execute, fetch_rows
from shared.models import UserId
from shared.services import Services

MODEL = "made-up"
PER_CONVERSATION = 40
WORDS = 20_000
TOKENS, BYTES_A_TOKEN = 36, 48  # as LoCoMo's messages have with MiniLM
INDEX_MEMORY = "3GB"  # for the graph of a million rows; building is far slower if it does not fit

CREATE_NOISE = """
    CREATE OR REPLACE FUNCTION made_up_noise(size float8) RETURNS vector LANGUAGE sql VOLATILE
    RETURN (SELECT array_agg(size * random_normal()) FROM generate_series(1, 384))::vector
"""
CREATE_SUBJECTS = """
    CREATE TABLE IF NOT EXISTS made_up_subjects AS
    SELECT number, made_up_noise(1) AS vector FROM generate_series(0, 299) AS number
"""
# Three of the twenty subjects that begin with the first, each weighed by chance.
CREATE_MIXTURE = """
    CREATE OR REPLACE FUNCTION made_up_vector(first integer) RETURNS vector LANGUAGE sql VOLATILE
    RETURN (
        SELECT sum(vector * array_fill(random_normal(), ARRAY[384])::vector)
        FROM (SELECT mod(first + 31 * floor(20 * random())::integer, 300) AS number
              FROM generate_series(1, 3)) AS picked
        JOIN made_up_subjects USING (number)
    ) + made_up_noise(0.2)
"""
DRAW_VECTORS = """
    SELECT made_up_vector(abs(mod(hashtext(%(user_id)s), 300)))::text AS vector
    FROM generate_series(1, %(count)s)
"""
CREATE_INDEX = """
    CREATE INDEX message_embeddings_nearest ON message_embeddings
    USING hnsw (embedding halfvec_cosine_ops)
"""
USERS = "INSERT INTO users (user_id, turn_count) VALUES (%(user_id)s, %(turns)s)"
CONVERSATIONS = """
    INSERT INTO conversations (conversation_id, chat_id, user_id, agent, mode, last_sequence)
    SELECT id, id, %(user_id)s, 'general', 'active', %(last)s
    FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, %(count)s)) AS new
"""
MESSAGES = """
    INSERT INTO messages (user_id, conversation_id, sequence_number, role, content, status)
    SELECT user_id, conversation_id, number,
           CASE number %% 2 WHEN 0 THEN 'user' ELSE 'assistant' END,
           (SELECT string_agg('word' || floor(%(words)s ^ random())::integer, ' ')
            FROM generate_series(1, 20) WHERE number >= 0 AND conversation_id IS NOT NULL),
           'complete'
    FROM conversations, generate_series(0, %(last)s) AS number WHERE user_id = %(user_id)s
"""
VECTORS = """
    INSERT INTO message_embeddings (
        user_id, conversation_id, sequence_number, embedding, embedding_model, token_signs)
    SELECT user_id, conversation_id, sequence_number,
           made_up_vector(abs(mod(hashtext(user_id), 300)))::halfvec, %(model)s,
           decode(repeat(md5(random()::text), %(sixteens)s), 'hex')
    FROM messages WHERE user_id = %(user_id)s
"""


def fill(services: Services, users: Iterable[tuple[UserId, int]]) -> None:
    """Fill in users with so many messages each. Existing users stay as they are."""
    _run(services, CREATE_NOISE)
    _run(services, CREATE_SUBJECTS)
    _run(services, CREATE_MIXTURE)
    with services.database.transaction() as connection:
        known = {row["user_id"] for row in fetch_rows(connection, "SELECT user_id FROM users")}
    missing = [(user, size) for user, size in users if user not in known]
    if not missing:
        return
    _run(services, "DROP INDEX IF EXISTS message_embeddings_nearest")
    began = time.perf_counter()
    for user, size in missing:
        _fill_user(services, user, size)
    count = sum(size for _, size in missing)
    print(f"{count:,} messages, in {time.perf_counter() - began:.0f} s", flush=True)
    began = time.perf_counter()
    _run(services, CREATE_INDEX)
    print(f"HNSW built in {time.perf_counter() - began:.0f} s", flush=True)
    _run(services, "ANALYZE")


def _fill_user(services: Services, user: UserId, size: int) -> None:
    args = {
        "user_id": user,
        "turns": size // 2,
        "count": size // PER_CONVERSATION,
        "last": PER_CONVERSATION - 1,
        "words": WORDS,
        "model": MODEL,
        "sixteens": TOKENS * BYTES_A_TOKEN // 16,
    }
    with services.database.transaction() as connection:
        execute(connection, "SET LOCAL statement_timeout = 0")
        execute(connection, "SET LOCAL session_replication_role = replica")  # no triggers
        for statement in (USERS, CONVERSATIONS, MESSAGES, VECTORS):
            execute(connection, statement, **args)


def _run(services: Services, statement: str) -> None:
    with services.database.transaction() as connection:
        execute(connection, "SET LOCAL statement_timeout = 0")
        execute(connection, f"SET LOCAL maintenance_work_mem = '{INDEX_MEMORY}'")
        execute(connection, statement)
