"""A job whose conversation or user is erased while the model answers leaves nothing behind."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from shared.db import fetch_rows
from shared.derivations.kinds import do_job
from shared.models import Kind
from shared.rounds.runner import RoundRunner
from shared.user_data.erasure.conversations import (
    ConversationSelection,
    erase_conversation,
    erase_user,
)
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing, NoEncoder
from tests.integration.derivations.extracting import answer, held
from tests.services import as_owner
from tests.waiting import wait_for

KINDS: tuple[Kind, ...] = ("facts", "episode", "summary", "title")
# What only the facts job can use: the others fall back, which reads the messages again.
ANSWER = answer(("home_city", "Oslo", 0)).text
LEFT = """
    SELECT conversation_id FROM fact_extractions
    UNION ALL SELECT conversation_id FROM episodic_memory
    UNION ALL SELECT conversation_id FROM memory
    UNION ALL SELECT conversation_id FROM titles
    UNION ALL SELECT conversation_id FROM tidyings
    UNION ALL SELECT conversation_id FROM unembedded_messages
    UNION ALL SELECT conversation_id FROM token_usage
"""
Erase = Callable[[Conversing], object]


def delete_the_chat(talk: Conversing) -> None:
    assert talk.conversation_id is not None
    runner = RoundRunner(talk.services, NoEncoder())
    erase_conversation(
        talk.services,
        runner,
        talk.user_id,
        ConversationSelection(conversation_id=talk.conversation_id),
    )


def erase_the_user(talk: Conversing) -> None:
    erase_user(talk.services, RoundRunner(talk.services, NoEncoder()), talk.user_id)


@pytest.mark.parametrize("erase", [delete_the_chat, erase_the_user])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_it_is_written(
    wired: Conversing,
    openai_server: FakeOpenAI,
    caplog: pytest.LogCaptureFixture,
    kind: Kind,
    erase: Erase,
) -> None:
    while not wired.due_of(kind):
        wired.round("I live in Oslo.")
    goes_on = threading.Event()
    openai_server.script(Scripted(text=ANSWER, goes_on=goes_on))
    job = threading.Thread(target=do_job, args=(wired.services, kind, wired.due_of(kind)[-1]))
    job.start()
    wait_for(lambda: openai_server.requests)
    erase(wired)
    goes_on.set()
    job.join()
    assert held(wired) == []
    with as_owner(wired.services) as connection:
        assert fetch_rows(connection, LEFT) == []
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []
