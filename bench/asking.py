"""Ask questions of a filled memory, as a round would, and leave nothing behind."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any

from shared.agents import DEFAULT_AGENT
from shared.db import execute
from shared.embeddings import encode_queries
from shared.embeddings.bulk_encoder import load_onnx_model
from shared.llm import count_tokens
from shared.models import OpenRound, UserId
from shared.policy.budget import Room
from shared.policy.prompt import Frame, Prompt, build_prompt
from shared.recall.encoder import Wait
from shared.recall.prompt import recall
from shared.rounds.opening import open_round
from shared.rounds.requests import NewMessage
from shared.services import Services
from shared.timing import Steps
from shared.user_data.imports.importer import import_file
from tests.integration.worker import WORK, list_jobs

MANY = 1000


class Encoder:
    """The workers' form of the model, without a time-out."""

    def __init__(self, services: Services) -> None:
        self._settings = services.settings

    def encode(self, text: str, timeout_s: float) -> Any:
        return encode_queries([text], self._settings)[0]

    def begin(self, text: str) -> Wait:
        return partial(self.encode, text)

    def knows(self, word: str) -> bool:
        return load_onnx_model(self._settings).knows(word)


def remember(services: Services, user: str, conversations: Sequence[dict[str, Any]]) -> None:
    """Import conversations that are not there yet, and do all jobs that follow."""
    file = io.BytesIO(json.dumps(list(conversations)).encode())
    done = import_file(services, UserId(user), file)
    if done.status != "done" or done.tally.failed:
        raise SystemExit(f"{user} was not imported: {done}")
    for _ in range(MANY):
        jobs = list_jobs(services, "processing")
        if not jobs:
            return
        for due in jobs:
            WORK[due.kind](services, due.job_id)
    raise SystemExit(f"never done: {jobs}")


@contextmanager
def asked(services: Services, user: str, question: str) -> Iterator[OpenRound]:
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
            "DELETE FROM conversations WHERE conversation_id = %(own)s",
            own=chat_round.conversation.conversation_id,
        )


def make_prompt(
    services: Services, chat_round: OpenRound, *, agent_prompt: str, now: datetime
) -> Prompt:
    """As a round does."""
    settings = services.settings
    room = Room(tokens=settings.ctx_tokens, recent=settings.recent_tokens)
    recalled = recall(services, Encoder(services), chat_round, Steps(), room)
    frame = Frame(agent_prompt=agent_prompt, now=now, current=chat_round.user_message.content)
    return build_prompt(frame, recalled, room, count_tokens(settings.llm_model))


def memory_of(prompt: Prompt) -> str:
    """What is remembered, without the turns and the question."""
    (_, front), *_, (_, last) = prompt.messages
    return front + last.partition("</context>")[0]
