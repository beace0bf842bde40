"""Requests that arrive at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser
from tests.integration.web.openai.conftest import Client, Message, list_said


def test_equal_requests_are_one_round(
    wired: Browser, wired_client: Client, openai_server: FakeOpenAI
) -> None:
    wired_client.say("My name is Ada.")
    messages: list[Message] = [*wired_client.history, {"role": "user", "content": "And my cat?"}]
    openai_server.by_task["reply"] = Scripted(text="I do not know.", delay_s=0.5)
    with ThreadPoolExecutor(6) as pool:
        clients = [Client(wired, "fake-model") for _ in range(6)]
        for client in clients:
            client.browser = Browser(wired.client.application.test_client(), wired.context)
        answers = list(pool.map(lambda client: client.post(messages), clients))
    assert {answer.status_code for answer in answers} == {200}
    texts = {answer.get_json()["choices"][0]["message"]["content"] for answer in answers}
    assert texts == {"I do not know."}
    assert list_said(wired) == ["My name is Ada.", "And my cat?"]
