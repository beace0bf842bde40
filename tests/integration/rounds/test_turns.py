"""A prompt holds no two turns of one role in a row, whatever became of the replies."""

from __future__ import annotations

from collections.abc import Sequence

from tests.fakes.fixtures import openai_server
from tests.fakes.openai_json import CONTEXT_END
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.fakes.profiles import PROFILES
from tests.integration.web.conftest import Browser, make_browser, wired

__all__ = ["make_browser", "openai_server", "wired"]


def roles_of(server: FakeOpenAI) -> Sequence[str]:
    return [message["role"] for message in server.requests[-1].body["messages"]]


def test_after_failed_replies_the_users_words_are_one_turn(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.profile = PROFILES["vllm"]
    answer = wired.chat("The sea is cold.").get_json()
    talk = {"conversation_id": answer["conversation_id"]}
    for text in ("Is it warm\nin July?", "Are you there?"):
        openai_server.script(Scripted(status=401))
        assert wired.chat(text, **talk).status_code == 502
    assert wired.chat("Hello?", **talk).status_code == 200
    assert roles_of(openai_server) == ["system", "user", "assistant", "user"]
    words = openai_server.requests[-1].body["messages"][-1]["content"]
    before, end, new = words.partition(CONTEXT_END)
    assert before.startswith("Is it warm\nin July?\n\nAre you there?\n\n<context>")
    assert (bool(end), new) == (True, "Hello?")
    assert len(openai_server.requests) == 4
