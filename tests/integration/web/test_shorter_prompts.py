"""A server that takes less than anybody knew: the prompt gets shorter until it fits."""

from __future__ import annotations

import pytest

from shared.llm.adjusted_call import MOST_CALLS
from tests.fakes.openai_server import LLAMA_CPP_TOO_LONG, OPENAI_TOO_LONG, FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser
from tests.refusals import code_of

TOO_LONG = Scripted(
    status=400, error="request (20030 tokens) exceeds the available context size (8192 tokens)"
)
WITHOUT_NUMBERS = "Please reduce the length of the messages."
LONG = "All that was said of the harbour, word for word. " * 60  # some 600 tokens


@pytest.mark.parametrize("words", [OPENAI_TOO_LONG, LLAMA_CPP_TOO_LONG, WITHOUT_NUMBERS])
def test_one_refusal_teaches_how_long_prompts_may_be(
    wired: Browser, openai_server: FakeOpenAI, words: str
) -> None:
    result = wired.chat(LONG).get_json()
    for _ in range(3):
        wired.chat(LONG, conversation_id=result["conversation_id"])
    openai_server.context_tokens, openai_server.too_long = 4000, words
    for count in range(1, 5):
        answer = wired.chat("And the ships?", conversation_id=result["conversation_id"])
        assert answer.status_code == 200
        assert len(openai_server.requests) == 4 + 1 + count  # one of them was refused
    last = openai_server.requests[-1].body["messages"]
    assert [message["role"] for message in last[-3:]] == ["user", "assistant", "user"]


def test_a_question_that_is_too_long_by_itself_is_told_so(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(*[TOO_LONG] * 4, Scripted(text="Never asked for."))
    answer = wired.chat(LONG)
    assert code_of(answer) == "input_too_long"
    assert len(openai_server.requests) == 4


def test_what_is_refused_for_another_reason_is_asked_again_with_fewer_fields(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.by_task["reply"] = Scripted(status=400, error="no such parameter")
    assert wired.chat("Hello").status_code == 502
    assert 1 < len(openai_server.requests) <= MOST_CALLS
