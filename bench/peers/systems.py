"""The product, mem0 and LangGraph's PostgresStore behind one form, for `bench.peers`.

All use the same Postgres, the same ONNX model in this process, and the model server at 0 ms. An
item is a round: what a user said, and the reply.

- `search`: the texts that belong to a question, which is embedded first. The product: all that a
  prompt is given for a question (`recall_for_question`: facts, quotes with their context, episodes,
  misspelt words corrected, candidates ranked again by their tokens). mem0: `Memory.search` of five,
  by meaning and words. PostgresStore: `search` of five, by meaning.
- `add`: a round is stored, and is durable when the call returns. The product: the two transactions
  of a round; `embed` makes its vectors, as a worker does. mem0: `Memory.add` with `infer=False`,
  PostgresStore: `batch` of two `PutOp`; both embed before they return.
- `learn`: a round is stored, and facts of it are extracted by one call of the model, and stored.
  The product: the round's two transactions, the facts' job, and the vectors. mem0: `Memory.add`,
  which also searches and embeds. PostgresStore has nothing of the kind.
"""

from __future__ import annotations

import itertools
import time
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from langchain_core.embeddings import Embeddings
from langgraph.store.base import PutOp
from langgraph.store.postgres import PostgresStore
from mem0 import Memory
from psycopg.rows import dict_row
from psycopg_pool import ConnectionPool

from bench.harness.services import import_sessions
from shared.derivations.kinds import do_job
from shared.embeddings.bulk_encoder import load_onnx_model
from shared.embeddings.query_encoder import QueryEncoder
from shared.models import ConversationId, Due, Outcome, Query, UserId
from shared.recall.prompt import recall_for_question
from shared.rounds.closing import close_round
from shared.rounds.opening import open_round
from shared.rounds.requests import NewMessage
from shared.services import Services
from shared.timing import Steps
from tests.embedding import embed_pending

RESULTS = 5  # of mem0 and PostgresStore
DIMENSION = 384
REPLY = "Noted."
PER_CONVERSATION = 40


class System:
    """A memory of several users."""

    name: str

    def fill(self, user: str, texts: Sequence[str]) -> None:
        raise NotImplementedError

    def search(self, user: str, text: str) -> None:
        raise NotImplementedError

    def add(self, user: str, text: str) -> None:
        raise NotImplementedError

    def embed(self) -> None:
        """Make the vectors of what was added. Nothing, where `add` has done it."""

    def learn(self, user: str, text: str) -> None:
        raise NotImplementedError


class Product(System):
    name = "Throughline"

    def __init__(self, services: Services) -> None:
        self._services = services
        self._encoder = QueryEncoder(services.settings)
        self._encoder.start()
        while not self._encoder.ready:
            time.sleep(0.01)
        self._conversations: dict[str, ConversationId] = {}

    def fill(self, user: str, texts: Sequence[str]) -> None:
        messages = [
            {"role": ("user", "assistant")[place % 2], "content": text}
            for place, text in enumerate(texts)
        ]
        starts = range(0, len(messages), PER_CONVERSATION)
        sessions = [{"messages": messages[start : start + PER_CONVERSATION]} for start in starts]
        import_sessions(self._services, UserId(user), sessions)
        self.embed()

    def search(self, user: str, text: str) -> None:
        query = Query(user_id=UserId(user), text=text, asked_at=datetime.now(UTC))
        recalled = recall_for_question(self._services, self._encoder, query, Steps())
        if recalled.failed:
            raise SystemExit(f"recall failed: {recalled.failed}")

    def add(self, user: str, text: str) -> None:
        self._play(UserId(user), text)

    def embed(self) -> None:
        embed_pending(self._services)

    def learn(self, user: str, text: str) -> None:
        for due in self._play(UserId(user), text):
            if due.kind == "facts":
                do_job(self._services, "facts", due.job_id)
        self.embed()

    def _play(self, user: UserId, text: str) -> list[Due]:
        database, settings = self._services.database, self._services.settings
        new = NewMessage(user_id=user, text=text, conversation_id=self._conversations.get(user))
        with database.transaction(user=user) as connection:
            chat_round = open_round(connection, new, settings)
        self._conversations[user] = chat_round.conversation.conversation_id
        outcome = Outcome(status="complete", content=REPLY)
        with database.transaction(user=user) as connection:
            return close_round(connection, chat_round.attempt, outcome, settings) or []


class BuiltIn(Embeddings):
    """The product's built-in model for the others, in its own queries' and documents' form."""

    def __init__(self, services: Services) -> None:
        self._model = load_onnx_model(services.settings)

    def embed_query(self, text: str) -> list[float]:
        return self._model.encode_query(text).vector.tolist()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [encoding.vector.tolist() for encoding in self._model.encode_documents(texts)]

    # mem0's form of the same
    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        is_query = memory_action == "search"
        return self.embed_query(text) if is_query else self.embed_documents([text])[0]

    def embed_batch(self, texts: list[str], memory_action: str = "add") -> list[list[float]]:
        return self.embed_documents(texts)


class Mem0(System):
    """With its default settings."""

    def __init__(self, database_url: str, model_url: str, folder: str, built_in: BuiltIn) -> None:
        self.name = f"mem0 {version('mem0ai')}"
        key = {"api_key": "bench"}
        store = {"connection_string": database_url, "embedding_model_dims": DIMENSION}
        llm = {"model": "bench", "openai_base_url": model_url, **key}
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "pgvector", "config": store},
                "llm": {"provider": "openai", "config": llm},
                "embedder": {"provider": "openai", "config": key},
                "history_db_path": f"{folder}/history.db",
            }
        )
        self._memory.embedding_model = built_in

    def fill(self, user: str, texts: Sequence[str]) -> None:
        payloads = [{"data": text, "text_lemmatized": text, "user_id": user} for text in texts]
        vectors = self._memory.embedding_model.embed_documents(list(texts))
        self._memory.vector_store.insert(vectors, payloads, [str(uuid.uuid4()) for _ in texts])

    def search(self, user: str, text: str) -> None:
        self._memory.search(text, filters={"user_id": user}, top_k=RESULTS)

    def add(self, user: str, text: str) -> None:
        self._memory.add(_round_of(text), user_id=user, infer=False)

    def learn(self, user: str, text: str) -> None:
        added = self._memory.add(_round_of(text), user_id=user)
        if len(added["results"]) != 1:
            raise SystemExit(f"mem0 has learned {added}")


class LangGraph(System):
    """With an index for HNSW, its default, and a pool in place of its single connection."""

    def __init__(self, database_url: str, built_in: BuiltIn) -> None:
        self.name = f"PostgresStore {version('langgraph-checkpoint-postgres')}"
        options = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
        pool = ConnectionPool(database_url, min_size=1, kwargs=options, open=True)
        index = {"dims": DIMENSION, "embed": built_in, "fields": ["text"]}
        self._store = PostgresStore(pool, index=index)
        self._store.setup()
        self._numbers = itertools.count()

    def fill(self, user: str, texts: Sequence[str]) -> None:
        for start in range(0, len(texts), 500):
            self._store.batch([self._put(user, text) for text in texts[start : start + 500]])

    def search(self, user: str, text: str) -> None:
        self._store.search(("memories", user), query=text, limit=RESULTS)

    def add(self, user: str, text: str) -> None:
        self._store.batch([self._put(user, text), self._put(user, REPLY)])

    def _put(self, user: str, text: str) -> PutOp:
        return PutOp(("memories", user), str(next(self._numbers)), {"text": text})


def _round_of(text: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text}, {"role": "assistant", "content": REPLY}]
