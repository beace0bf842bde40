"""What a provider says of a fault: who is told, and that no log is."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.accounts.conftest import AccountSite
from tests.integration.web.conftest import Browser
from tests.refusals import message_of

REFUSED = Scripted(status=400, error="Unknown field `frobnicate` in: My secret is plum.")
NO_KEY = Scripted(status=401, error="Key sk-secret-key of account 'acme' is wrong")
TOO_LONG = Scripted(status=400, error="This model's maximum context length is 8 tokens, not 90.")


@pytest.fixture
def behind_proxy(make_browser: Callable[..., Browser], openai_server: FakeOpenAI) -> Browser:
    return make_browser(
        llm_model="m",
        llm_api_base=openai_server.base_url,
        llm_api_key="sk-test-key",
        llm_tries=1,
        auth_mode="proxy",
        trusted_proxies=("127.0.0.1",),
        operators=("root",),
    )


def ask_as(browser: Browser, user: str) -> Any:
    headers = {"X-Forwarded-User": user}
    answer = browser.client.post("/chat", json={"message": "My secret is plum."}, headers=headers)
    body = answer.get_json()
    listed = browser.client.get(
        f"/api/v1/conversations/{body['conversation_id']}/messages", headers=headers
    ).get_json()["messages"]
    assert listed[1]["error"] == body["error"]["message"]  # told now and after a reload
    return answer.status_code, body["error"]


def test_who_asked_is_told_what_the_provider_says_of_the_request(
    behind_proxy: Browser, openai_server: FakeOpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    openai_server.by_task["reply"] = REFUSED
    _, error = ask_as(behind_proxy, "ann")
    assert "The provider says: “Unknown field `frobnicate`" in error["message"]
    logged = caplog.text + "".join(str(vars(record)) for record in caplog.records)
    assert "model.call_failed" in logged
    assert "frobnicate" not in logged
    assert "plum" not in logged


def test_what_it_says_of_the_account_is_for_operators(
    behind_proxy: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(NO_KEY, NO_KEY)
    _, error = ask_as(behind_proxy, "ann")
    assert error["message"] == "The server of m does not accept the key it was given."
    _, error = ask_as(behind_proxy, "root")
    assert "The provider says: “Key … of account 'acme' is wrong”" in error["message"]


def test_with_accounts_the_operators_are_told(
    make_browser: Callable[..., Browser], openai_server: FakeOpenAI
) -> None:
    wired = {"llm_model": "m", "llm_api_base": openai_server.base_url, "llm_api_key": "sk-test"}
    site = AccountSite(make_browser(auth_mode="password", llm_tries=1, **wired))
    olga = site.operator()
    bob = site.user("Bob")
    openai_server.script(NO_KEY, NO_KEY)
    messages = [
        message_of(person.client.post("/chat", json={"message": "Hi"})) for person in (olga, bob)
    ]
    assert ["acme" in message for message in messages] == [True, False]


def test_on_ones_own_machine_the_user_is_the_operator(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(NO_KEY)
    assert "account 'acme'" in message_of(wired.chat())


def test_a_prompt_that_is_too_long_is_called_that(
    behind_proxy: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.by_task["reply"] = TOO_LONG
    status, error = ask_as(behind_proxy, "ann")
    assert (status, error["code"]) == (413, "input_too_long")
    assert error["message"].startswith("This is too long for m.")
    assert "maximum context length is 8 tokens" in error["message"]
