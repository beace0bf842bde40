"""Replies that the model cut, and how to continue them."""

from __future__ import annotations

from werkzeug.test import TestResponse

from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser

CUT = Scripted(text="One two three four five six", finish_reason="length")
REST = Scripted(text="three four five six seven eight.")  # as asked, it repeats the last words
WHOLE = "One two three four five six seven eight."
SLOW_REST = Scripted(
    text=f"{CUT.text} seven eight nine ten eleven twelve thirteen", piece_delay_s=0.05
)
LONG_REST = Scripted(
    text=" ".join([CUT.text, *(f"word{n}" for n in range(600))]), piece_delay_s=0.05
)


def go_on(
    browser: Browser, conversation_id: str, sequence: int = 1, **fields: object
) -> TestResponse:
    return browser.client.post(f"/chat/{conversation_id}/{sequence}/continue", json=fields)


def say_cut(browser: Browser, server: FakeOpenAI, *before: str) -> str:
    """A conversation whose newest reply was cut."""
    conversation_id: str | None = None
    for text in before:
        conversation_id = browser.chat(
            text, **({"conversation_id": conversation_id} if conversation_id else {})
        ).get_json()["conversation_id"]
    server.script(CUT)
    answer = browser.chat(
        "Count.", **({"conversation_id": conversation_id} if conversation_id else {})
    )
    assert answer.status_code == 200
    return str(answer.get_json()["conversation_id"])


def read_stored(browser: Browser, conversation_id: str, sequence: int = 1) -> tuple[str, str, str]:
    message = browser.messages(conversation_id)[sequence]
    return message["status"], message["finish_reason"], message["content"]
