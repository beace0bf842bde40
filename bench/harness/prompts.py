"""The prompts of a filled memory, made as a round makes them. Nothing is left behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any

from bench.harness.services import import_sessions
from shared.agents import DEFAULT_AGENT, get_agent
from shared.db import execute
from shared.derivations.kinds import do_job
from shared.embeddings.bulk_encoder import encode_queries, load_onnx_model
from shared.llm import count_tokens
from shared.models import OpenRound, UserId
from shared.policy.budget import Room
from shared.policy.prompt import Frame, Prompt, build_prompt
from shared.recall.encoder import Encoder, Wait
from shared.recall.prompt import recall
from shared.rounds.opening import open_round
from shared.rounds.requests import NewMessage
from shared.services import Services
from shared.timing import Steps
from tests.integration.worker import list_jobs

MANY = 1000


class BulkEncoder:
    """The workers' form of the model, without a time-out."""

    def __init__(self, services: Services) -> None:
        self._settings = services.settings

    def encode(self, text: str, timeout_s: float) -> Any:
        return encode_queries([text], self._settings)[0]

    def begin(self, text: str) -> Wait:
        return partial(self.encode, text)

    def knows(self, word: str) -> bool:
        return load_onnx_model(self._settings).knows(word)


def remember(services: Services, user: str, conversations: Sequence[Mapping[str, Any]]) -> None:
    """Import conversations that are not there yet, and do all jobs that follow."""
    import_sessions(services, UserId(user), conversations)
    for _ in range(MANY):
        jobs = list_jobs(services, "processing")
        if not jobs:
            return
        for due in jobs:
            do_job(services, due.kind, due.job_id)
    raise SystemExit(f"never done: {jobs}")


@contextmanager
def open_question(services: Services, user: str, question: str) -> Iterator[OpenRound]:
    """Open a round in a conversation of its own, which is deleted afterwards."""
    new = NewMessage(
        user_id=UserId(user),
        text=question,
        conversation_id=None,
        agent=DEFAULT_AGENT,
        mode="active",
    )
    with services.database.transaction(user=new.user_id) as connection:
        chat_round = open_round(connection, new, services.settings)
    yield chat_round
    with services.database.transaction(user=new.user_id) as connection:
        execute(
            connection,
            "DELETE FROM conversations WHERE conversation_id = %(conversation_id)s",
            conversation_id=chat_round.conversation.conversation_id,
        )


def make_prompt(
    services: Services,
    chat_round: OpenRound,
    *,
    agent_prompt: str | None = None,
    now: datetime | None = None,
    encoder: Encoder | None = None,
) -> Prompt:
    """The request that this round would send to the model, by default now and to our agent."""
    settings = services.settings
    room = Room(tokens=settings.ctx_tokens, recent=settings.recent_tokens)
    recalled = recall(services, encoder or BulkEncoder(services), chat_round, Steps(), room)
    frame = Frame(
        agent_prompt=agent_prompt or get_agent(DEFAULT_AGENT).prompt,
        now=now or datetime.now(UTC),
        current=chat_round.user_message.content,
    )
    return build_prompt(frame, recalled, room, count_tokens(settings.llm_model))


def memory_of(prompt: Prompt) -> str:
    """What is remembered, without the turns and the question."""
    (_, front), *_, (_, last) = prompt.messages
    return front + last.partition("</context>")[0]
