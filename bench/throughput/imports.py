"""An import beside COPY: `python -m bench.throughput.imports` (10,000 messages, four minutes).

The product imports conversations of its own format and embeds their messages. The floor writes
messages with the same texts into the same tables by COPY, encodes them in the worker's batches,
and writes the vectors by COPY. Both take turns, a tenth of the messages each time, so that other
load falls on both. Jobs of facts, summaries and episodes are claimed by the import, not run here.
"""

from __future__ import annotations

import io
import random
import time
from collections.abc import Iterable, Sequence
from uuid import uuid4

import click
from pgvector import HalfVector

from bench.harness.report import Figure, publish
from bench.harness.services import import_sessions, open_services
from shared.db import PgConnection, execute
from shared.derivations.embedding import BATCH
from shared.embeddings.bulk_encoder import encode_with_tokens
from shared.embeddings.model_properties import model_name
from shared.models import UserId
from shared.services import Services
from shared.store.users import ensure_user
from tests.embedding import embed_pending

OURS, FLOOR = UserId("imports"), UserId("copies")
TURNS = 10
PER_CONVERSATION = 40
ROLES = ("user", "assistant") * (PER_CONVERSATION // 2)
TEXT = (
    "we went to the harbour and bought a red lamp for my brother who lives in Lisbon because the "
    "old clock was broken after the storm in March and nobody could repair it so the teacher asked "
    "Anna whether her neighbour still has that wooden boat"
)
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
#: Seconds until the messages were in their table, and until each had its vectors.
Times = tuple[float, float]


@click.command()
@click.option("--messages", default=10_000)
def main(messages: int) -> None:
    chance = random.Random(0)
    portion = max(1, messages // TURNS // PER_CONVERSATION)
    ours: list[Times] = []
    floor: list[Times] = []
    with open_services() as services:
        encode_with_tokens(["hello"], services.settings)  # loads the model
        with services.database.transaction(user=FLOOR) as connection:
            ensure_user(connection, FLOOR)
        for _ in range(TURNS):
            conversations = [make_conversation(chance) for _ in range(portion)]
            floor.append(copy_and_encode(services, conversations))
            ours.append(import_and_embed(services, conversations))
    count = TURNS * portion * PER_CONVERSATION
    rows = (("written", "COPY"), ("written and embedded", "COPY, encoding in batches, COPY"))
    publish(
        "imports",
        [
            Figure(
                name=f"{count:,} messages {what}",
                value=sum(times[place] for times in ours),
                unit="s",
                beside=beside,
                beside_value=sum(times[place] for times in floor),
            )
            for place, (what, beside) in enumerate(rows)
        ],
    )


def make_conversation(chance: random.Random) -> Conversation:
    """Texts of 8 to 60 words."""
    return [" ".join(chance.choices(TEXT.split(), k=chance.randint(8, 60))) for _ in ROLES]


def import_and_embed(services: Services, conversations: Sequence[Conversation]) -> Times:
    sessions = [
        {
            "messages": [
                {"role": role, "content": text} for role, text in zip(ROLES, texts, strict=True)
            ]
        }
        for texts in conversations
    ]
    began = time.perf_counter()
    import_sessions(services, OURS, sessions)
    written_at = time.perf_counter()
    embed_pending(services)
    return written_at - began, time.perf_counter() - began


def copy_and_encode(services: Services, conversations: Sequence[Conversation]) -> Times:
    """The same rows without any of the product's checks, locks, counts and claims."""
    keyed = {str(uuid4()): texts for texts in conversations}
    rows = [(key, n, text) for key, texts in keyed.items() for n, text in enumerate(texts)]
    began = time.perf_counter()
    with services.database.transaction(user=FLOOR) as connection:
        _copy(connection, CONVERSATIONS, (
            (key, FLOOR, "general", "active", PER_CONVERSATION - 1) for key in keyed
        ))  # fmt: skip
        _copy(connection, MESSAGES, (
            (key, number, FLOOR, ROLES[number], text, "complete") for key, number, text in rows
        ))  # fmt: skip
        execute(connection, NOT_WAITING, user_id=FLOOR)
    written_at = time.perf_counter()
    model = model_name(services.settings)
    for first in range(0, len(rows), BATCH):
        batch = rows[first : first + BATCH]
        encoded = encode_with_tokens([text for _, _, text in batch], services.settings)
        with services.database.transaction(user=FLOOR) as connection:
            _copy(connection, VECTORS, (
                (key, number, FLOOR, HalfVector(encoding.vector).to_text(), model,
                 f"\\\\x{encoding.token_signs.tobytes().hex()}")
                for (key, number, _), encoding in zip(batch, encoded, strict=True)
            ))  # fmt: skip
    return written_at - began, time.perf_counter() - began


def _copy(connection: PgConnection, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
    text = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    with connection.cursor() as cursor:
        cursor.copy_expert(statement, io.StringIO(text))


if __name__ == "__main__":
    main()
