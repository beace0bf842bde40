"""Users of different sizes for `bench.growth`. Postgres makes the rows, with triggers off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench.recall_rows import (
    BYTES_A_TOKEN,
    CONVERSATIONS,
    CREATE_MIXTURE,
    CREATE_NOISE,
    CREATE_SUBJECTS,
    MESSAGES,
    TOKENS,
    VECTORS,
    WORDS,
)
from shared.db import Database, execute, fetch_rows
from shared.embeddings import model_name
from shared.models import ConversationId, UserId
from shared.services import Services
from tests.services import owner_url

MESSAGES_IN_EACH = 2  # where the number of conversations is what grows
EMBEDDED_CONVERSATIONS = 10_000  # no more of them: vectors are another chart's

NEWEST = """
    SELECT conversation_id FROM conversations WHERE user_id = %(user_id)s
    ORDER BY updated_at DESC, conversation_id DESC LIMIT 1
"""
# An hour between two conversations, so that the list has an order.
SPREAD = """
    UPDATE conversations SET updated_at = spread.at FROM (
        SELECT conversation_id, now() - make_interval(hours => row_number() OVER ()::integer) AS at
        FROM conversations WHERE user_id = %(user_id)s) AS spread
    WHERE conversations.conversation_id = spread.conversation_id
"""
FACTS = """
    INSERT INTO structured_facts (user_id, category, key, value, confidence, importance,
                                  confirmed_at_turn, source_conversation_id, source_sequence)
    SELECT %(user_id)s, 'preference', 'key_' || number, 'value ' || number, 1, 0.8, 1,
           %(conversation_id)s, 0
    FROM generate_series(1, %(count)s) AS number
"""


@dataclass(frozen=True, kw_only=True)
class Filled:
    """A user whose `size` is what is compared."""

    user_id: UserId
    size: int
    conversation_id: ConversationId


def fill_rounds(services: Services, sizes: Sequence[int]) -> list[Filled]:
    """Each user has one conversation of so many rounds."""
    return [_fill(services, f"rounds-{size}", size, 1, 2 * size) for size in sizes]


def fill_conversations(services: Services, sizes: Sequence[int]) -> list[Filled]:
    """Each user has so many conversations of one round."""
    return [
        _fill(services, f"conversations-{size}", size, size, MESSAGES_IN_EACH) for size in sizes
    ]


def fill_facts(services: Services, sizes: Sequence[int]) -> list[Filled]:
    """Each user has so many facts, and a conversation of ten rounds."""
    users = [_fill(services, f"facts-{size}", size, 1, 20) for size in sizes]
    database = _owner(services)
    for user in users:
        with database.transaction() as connection:
            execute(
                connection,
                FACTS,
                user_id=user.user_id,
                conversation_id=user.conversation_id,
                count=user.size,
            )
    database.close()
    return users


def finish_filling(services: Services) -> None:
    database = _owner(services)
    with database.transaction() as connection:
        execute(connection, "SET LOCAL statement_timeout = 0")
        execute(connection, "ANALYZE")
    database.close()


def _owner(services: Services) -> Database:
    return Database(owner_url(services.settings.database_url), pool_size=1)


def _fill(services: Services, name: str, size: int, conversations: int, messages: int) -> Filled:
    user, last, database = UserId(name), messages - 1, _owner(services)
    sixteens = TOKENS * BYTES_A_TOKEN // 16
    with database.transaction(user=user) as connection:
        execute(connection, "SET LOCAL statement_timeout = 0")
        execute(connection, "SET LOCAL session_replication_role = replica")  # no triggers
        for statement in (CREATE_NOISE, CREATE_SUBJECTS, CREATE_MIXTURE):
            execute(connection, statement)
        execute(
            connection,
            "INSERT INTO users (user_id, turn_count) VALUES (%(user_id)s, %(turns)s)",
            user_id=user,
            turns=conversations * messages // 2,
        )
        execute(connection, CONVERSATIONS, user_id=user, last=last, count=conversations)
        execute(connection, SPREAD, user_id=user)
        execute(connection, MESSAGES, user_id=user, last=last, words=WORDS)
        if conversations <= EMBEDDED_CONVERSATIONS:
            model = model_name(services.settings)
            execute(connection, VECTORS, user_id=user, model=model, sixteens=sixteens)
        [newest] = fetch_rows(connection, NEWEST, user_id=user)
    database.close()
    return Filled(
        user_id=user,
        size=size,
        conversation_id=ConversationId(str(newest["conversation_id"])),
    )
