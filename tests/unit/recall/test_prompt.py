"""Recall for a prompt: which steps it takes, and what is left when some of them fail."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

from shared.errors import DatabaseTimeoutError, DatabaseUnavailableError
from shared.models import (
    Conversation,
    ConversationId,
    Encoded,
    Message,
    Mode,
    OpenRound,
    Turn,
    UserId,
)
from shared.policy.budget import Room
from shared.policy.recalled import Recalled
from shared.recall.encoder import Encoder, Wait
from shared.recall.prompt import recall
from shared.services import Services
from shared.timing import Steps
from tests.fakes.memory import EmptyDatabase, FakeServices

ROOT = Path(__file__).resolve().parents[3]
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
OWN = ConversationId("00000000-0000-4000-8000-000000000001")
ASKED = "Where is the zeppelin?"
STEPS = [
    "facts", "summary", "question", "spelling", "turns", "embed_query", "branches", "messages",
    "episodes",
]  # fmt: skip
READS = tuple(step for step in STEPS if step not in ("turns", "embed_query"))
SAID = [
    Turn(role="user", content="Hello.", ts=0.0, seq=0),
    Turn(role="assistant", content="Good morning.", ts=0.0, seq=1),
]


class ReadyEncoder:
    def encode(self, text: str, timeout_s: float) -> Encoded | None:
        vector = np.ones(384, np.float32)
        return Encoded(vector=vector, token_signs=np.zeros((0, 48), np.uint8))

    def begin(self, text: str) -> Wait:
        return partial(self.encode, text)

    def knows(self, word: str) -> bool:
        return False


class LoadingEncoder(ReadyEncoder):
    def encode(self, text: str, timeout_s: float) -> None:
        return None


class BrokenEncoder(ReadyEncoder):
    def encode(self, text: str, timeout_s: float) -> NoReturn:
        raise RuntimeError


def open_round(mode: Mode = "active") -> OpenRound:
    conversation = Conversation(
        conversation_id=OWN,
        user_id=UserId("ada"),
        title=None,
        agent="general",
        mode=mode,
        last_sequence=3,
        created_at=NOW,
        updated_at=NOW,
        chat_id=OWN,
    )
    message = Message(
        conversation_id=OWN,
        sequence_number=2,
        role="user",
        content=ASKED,
        status="complete",
        model=None,
        created_at=NOW,
        error=None,
    )
    return OpenRound(conversation=conversation, user_message=message, sequence=3, fencing_token=1)


def ask(
    services: Services, encoder: Encoder | None = None, mode: Mode = "active"
) -> tuple[Recalled, list[str]]:
    """What is recalled, and the steps that the trace tells of."""
    steps = Steps()
    recalled = recall(services, encoder or ReadyEncoder(), open_round(mode), steps, Room())
    return recalled, list(steps.taken_ms)


def test_with_an_empty_memory_the_turns_are_given_and_every_step_is_timed() -> None:
    recalled, steps = ask(FakeServices(EmptyDatabase(), SAID))
    assert recalled.verbatim.turns == tuple(SAID)
    assert not (recalled.facts)
    assert not (recalled.episodes)
    assert not (recalled.quotes)
    assert not (recalled.failed)
    assert steps == STEPS


def test_every_step_has_a_name_on_the_page() -> None:
    texts = json.loads((ROOT / "web/static/texts/en.json").read_text("utf-8"))
    assert [step for step in STEPS if f"trace.step.{step}" not in texts] == []


@pytest.mark.parametrize(
    ("encoder", "failed"), [(LoadingEncoder(), ()), (BrokenEncoder(), ("embed_query",))]
)
def test_without_a_vector_the_search_goes_by_words(
    encoder: Encoder, failed: tuple[str, ...]
) -> None:
    recalled, steps = ask(FakeServices(EmptyDatabase(), SAID), encoder)
    assert recalled.failed == failed
    assert steps == STEPS


def test_without_the_models_files_the_search_goes_by_words() -> None:
    services = FakeServices(EmptyDatabase(), SAID, embedding_model="/nowhere/at/all")
    recalled, steps = ask(services)
    assert (recalled.failed, steps) == (("embed_query",), STEPS)


def test_without_a_database_the_turns_of_redis_are_given() -> None:
    recalled, steps = ask(FakeServices(EmptyDatabase(then=DatabaseUnavailableError()), SAID))
    assert recalled.verbatim.turns == tuple(SAID)
    assert recalled.failed == READS
    assert steps == STEPS


def test_a_read_that_fails_costs_no_other() -> None:
    failed: list[str] = []
    for place in range(ask_whole().statements):
        database = EmptyDatabase(statement_errors=[*[None] * place, DatabaseTimeoutError()])
        recalled, _ = ask(FakeServices(database, SAID))
        [step] = recalled.failed
        failed.append(step)
        # The next read begins another, unless the connection was to be given back just then.
        assert database.transactions == (2 if step in ("spelling", "episodes") else 3)
    assert tuple(dict.fromkeys(failed)) == READS


def ask_whole() -> EmptyDatabase:
    """A database of which everything was asked."""
    database = EmptyDatabase()
    ask(FakeServices(database, SAID))
    assert database.transactions == 2  # none is open while the query is embedded
    return database


def test_once_the_time_is_used_up_nothing_more_is_read() -> None:
    database = EmptyDatabase()
    recalled, _ = ask(FakeServices(database, SAID, recall_timeout_s=1e-9))
    assert recalled.failed == READS
    assert database.transactions == 1
    assert recalled.verbatim.turns == tuple(SAID)


@pytest.mark.parametrize("mode", ["passive", "off"])
def test_a_conversation_that_recalls_nothing_reads_its_turns_and_where_they_began(
    mode: Mode,
) -> None:
    database = EmptyDatabase()
    recalled, steps = ask(FakeServices(database, SAID), mode=mode)
    assert (steps, database.transactions, database.statements) == (["summary", "turns"], 1, 1)
    assert recalled == Recalled(verbatim=recalled.verbatim)


def test_without_memory_nothing_is_read_at_all() -> None:
    database = EmptyDatabase()
    recalled, steps = ask(FakeServices(database, SAID, enable_memory=False))
    assert (recalled, steps, database.transactions) == (Recalled(), [], 0)
