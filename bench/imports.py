"""An import beside COPY: `python -m bench.imports` (10,000 messages, some four minutes).

The product imports conversations of its own format and embeds their messages. The floor writes
messages with the same texts into the same tables by COPY, encodes them in the worker's batches,
and writes the vectors by COPY. Both take turns, a tenth of the messages each time, so that other
load falls on both. Jobs of facts, summaries and episodes are claimed by the import, not run here.
"""

from __future__ import annotations

import io
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import uuid4

import click
from pgvector import HalfVector

from bench.recall_site import import_sessions, open_services
from bench.report import Figure, publish
from migrations import upgrade
from shared.db import PgConnection, execute
from shared.derivations.embedding import BATCH
from shared.embeddings import encode_with_tokens, model_name
from shared.models import Encoded, UserId
from shared.services import Services
from shared.store.users import ensure_user
from tests.embedding import embed_pending

OURS, FLOOR = UserId("imports"), UserId("copies")
TURNS = 10
PER_CONVERSATION = 40
WORDS = (
    "we", "went", "to", "the", "harbour", "and", "bought", "a", "red", "lamp", "for", "my",
    "brother", "who", "lives", "in", "Lisbon", "because", "the", "old", "clock", "was",
    "broken", "after", "the", "storm", "in", "March", "and", "nobody", "could", "repair", "it",
    "so", "the", "teacher", "asked", "Anna", "whether", "her", "neighbour", "still", "has",
    "that", "wooden", "boat",
)  # fmt: skip

CONVERSATIONS = (
    "COPY conversations (conversation_id, user_id, agent, mode, last_sequence) FROM STDIN"
)
MESSAGES = """
    COPY messages (conversation_id, sequence_number, user_id, role, content, status) FROM STDIN
"""
VECTORS = """
    COPY message_embeddings (
        conversation_id, sequence_number, user_id, embedding, embedding_model, token_signs)
    FROM STDIN
"""
#: The floor writes its own vectors, so the worker's function has nothing to do for it.
NOT_WAITING = "DELETE FROM unembedded_messages WHERE user_id = %(user_id)s"

Conversation = Sequence[str]


@dataclass(frozen=True, kw_only=True)
class Times:
    """Seconds until the messages were in their table, and until each had its vectors."""

    written_s: float
    embedded_s: float


@click.command()
@click.option("--messages", default=10_000)
def main(messages: int) -> None:
    chance = random.Random(0)
    portion = max(1, messages // TURNS // PER_CONVERSATION)
    with open_services("", "") as services:
        upgrade(services.settings.database_url)
        _warm_up(services)
        ours: list[Times] = []
        floor: list[Times] = []
        for _ in range(TURNS):
            conversations = [make_conversation(chance) for _ in range(portion)]
            floor.append(copy_and_encode(services, conversations))
            ours.append(import_and_embed(services, conversations))
    count = TURNS * portion * PER_CONVERSATION
    publish("imports", [
        _figure(f"{count:,} messages written", [turn.written_s for turn in ours],
                "COPY", [turn.written_s for turn in floor]),
        _figure(f"{count:,} messages written and embedded", [turn.embedded_s for turn in ours],
                "COPY, encoding in batches, COPY", [turn.embedded_s for turn in floor]),
    ])  # fmt: skip


def make_conversation(chance: random.Random) -> Conversation:
    """Texts of 8 to 60 words."""
    return [
        " ".join(chance.choices(WORDS, k=chance.randint(8, 60))) for _ in range(PER_CONVERSATION)
    ]


def import_and_embed(services: Services, conversations: Sequence[Conversation]) -> Times:
    roles = ("user", "assistant") * (PER_CONVERSATION // 2)
    sessions = [
        {
            "messages": [
                {"role": role, "content": text} for role, text in zip(roles, texts, strict=True)
            ]
        }
        for texts in conversations
    ]
    began = time.perf_counter()
    import_sessions(services, OURS, sessions)
    written_at = time.perf_counter()
    embed_pending(services)
    return Times(written_s=written_at - began, embedded_s=time.perf_counter() - began)


def copy_and_encode(services: Services, conversations: Sequence[Conversation]) -> Times:
    """The same rows without any of the product's checks, locks, counts and claims."""
    keyed = {str(uuid4()): texts for texts in conversations}
    began = time.perf_counter()
    with services.database.transaction(user=FLOOR) as connection:
        _copy(connection, CONVERSATIONS, (
            (key, FLOOR, "general", "active", PER_CONVERSATION - 1) for key in keyed
        ))  # fmt: skip
        _copy(connection, MESSAGES, (
            (key, number, FLOOR, "assistant" if number % 2 else "user", text, "complete")
            for key, texts in keyed.items() for number, text in enumerate(texts)
        ))  # fmt: skip
        execute(connection, NOT_WAITING, user_id=FLOOR)
    written_at = time.perf_counter()
    places = [(key, number) for key, texts in keyed.items() for number in range(len(texts))]
    texts = [text for conversation in keyed.values() for text in conversation]
    for first in range(0, len(texts), BATCH):
        encoded = encode_with_tokens(texts[first : first + BATCH], services.settings)
        _copy_vectors(services, places[first : first + BATCH], encoded)
    return Times(written_s=written_at - began, embedded_s=time.perf_counter() - began)


def _copy_vectors(
    services: Services, places: Sequence[tuple[str, int]], encoded: Sequence[Encoded]
) -> None:
    name = model_name(services.settings)
    with services.database.transaction(user=FLOOR) as connection:
        _copy(connection, VECTORS, (
            (*place, FLOOR, HalfVector(encoding.vector).to_text(), name,
             f"\\\\x{encoding.token_signs.tobytes().hex()}")
            for place, encoding in zip(places, encoded, strict=True)
        ))  # fmt: skip


def _copy(connection: PgConnection, statement: str, rows: Iterator[tuple[object, ...]]) -> None:
    text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    with connection.cursor() as cursor:
        cursor.copy_expert(statement, io.StringIO(text))


def _warm_up(services: Services) -> None:
    """Load the model, and make the floor's user."""
    encode_with_tokens(["hello"], services.settings)
    with services.database.transaction(user=FLOOR) as connection:
        ensure_user(connection, FLOOR)


def _figure(name: str, ours: Sequence[float], beside: str, floor: Sequence[float]) -> Figure:
    return Figure(name=name, value=sum(ours), unit="s", beside=beside, beside_value=sum(floor))


if __name__ == "__main__":
    main()
