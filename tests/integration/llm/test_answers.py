"""Every form in which servers answer becomes the same normal form, by both clients."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shared.errors import ModelUnavailableError
from shared.llm import Completion, complete
from shared.settings import Settings
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.llm.conftest import MakeRequest

ANSWERS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "answers.json").read_text(encoding="utf-8")
)
DONE = "data: [DONE]\n\n"


def events_of(case: dict[str, Any]) -> tuple[Any, ...]:
    """A text is a finish reason, unless the case is raw; an object is a delta."""
    end = [DONE] if case.get("is_done", True) else []
    if case.get("is_raw"):
        return (*case["events"], *end)
    return (*map(chunk_of, case["events"]), *end)


def chunk_of(event: Any) -> Any:
    if isinstance(event, str):
        return {"choices": [{"index": 0, "delta": {}, "finish_reason": event}]}
    return event.get("event") or {"choices": [{"index": 0, "delta": event}]}


@pytest.fixture
def ask_for(
    openai_server: FakeOpenAI, wired: Callable[..., Settings], ask: MakeRequest
) -> Callable[[dict[str, Any]], Completion]:
    def ask_once(case: dict[str, Any]) -> Completion:
        openai_server.script(Scripted(events=events_of(case)))
        return complete(ask(), wired(llm_tries=1))

    return ask_once


GOOD = {name: case for name, case in ANSWERS.items() if "error" not in case}


@pytest.mark.parametrize("name", GOOD)
def test_an_answer_is_read_as_it_was_meant(name: str, ask_for: Any) -> None:
    case = GOOD[name]

    completion = ask_for(case)

    assert completion.text == case.get("text", "")
    assert completion.finish_reason == case.get("finish_reason", "stop")
    if "tokens" in case:
        assert [completion.tokens_in, completion.tokens_out] == case["tokens"]
    calls = completion.extras.get("tool_calls", [])
    read = [(call["id"], call["function"]["name"], call["function"]["arguments"]) for call in calls]
    expected = [
        (call_id or read[at][0], *rest) for at, (call_id, *rest) in enumerate(case.get("calls", []))
    ]
    assert read == expected
    assert len({id(call) for call in calls}) == len(expected)
    assert case.get("more", {}).items() <= (calls[0] if calls else {}).items()
    if "extras" in case:
        assert completion.extras == case["extras"]


@pytest.mark.parametrize("name", [name for name in ANSWERS if name not in GOOD])
def test_a_failure_is_told_in_the_servers_words(name: str, ask_for: Any) -> None:
    with pytest.raises(ModelUnavailableError) as caught:
        ask_for(ANSWERS[name])

    words = f"{caught.value.message} {caught.value.provider_said}"
    assert ANSWERS[name]["error"] in words
    assert "<" not in words
