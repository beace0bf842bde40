"""Requests at the edge of what can be read: refused with a clear error, or served."""

from __future__ import annotations

import io
from typing import Any

import pytest

from shared.models import Outcome
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser
from tests.integration.web.transfers import JSON, utterance
from tests.refusals import code_of
from tests.services import as_owner

pytestmark = pytest.mark.shares_sites

LONG = "9" * 5_000
OWN = "00000000-0000-4000-8000-000000000001"
INSTANTS = [
    "2024-03-05T10:00:00+16:00", "2024-03-05T10:00:00-23:59", "9999-12-31T23:59:59-14:00",
    "0001-01-01T00:00:00+14:00",
]  # fmt: skip
REFUSED = [
    f"/api/v1/episodes?cursor={LONG}",
    f"/api/v1/episodes?limit={LONG}",
    f"/api/v1/conversations/{OWN}/messages?around={LONG}",
    f"/api/v1/conversations/{OWN}/messages/{LONG}/trace",
    f"/api/v1/conversations/{OWN}/messages/{2**31}/trace",
    f"/chat/{OWN}/{LONG}/stream",
    f"/api/v1/facts/{LONG}/versions",
    "/api/v1/search?q=" + "-" * 200,
    "/api/v1/search?q=" + "-%20" * 60 + "a",
]


def refuse(answer: Any) -> str:
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.text)
    return code_of(answer)


@pytest.mark.parametrize("path", REFUSED)
def test_what_no_number_place_or_search_can_be_is_refused(browser: Browser, path: str) -> None:
    refuse(browser.client.get(path))


@pytest.mark.parametrize("instant", INSTANTS)
@pytest.mark.parametrize("path", ["/api/v1/search?q=tea", "/api/v1/facts?include=history"])
def test_no_instant_is_too_much(browser: Browser, path: str, instant: str) -> None:
    path = f"{path}&as_of={instant.replace('+', '%2B')}"
    assert browser.client.get(path).status_code in {200, 400}


@pytest.mark.parametrize("name", ["around", "before", "after"])
def test_the_last_number_of_all_is_a_place(browser: Browser, name: str) -> None:
    conversation_id = browser.chat("Hello").get_json()["conversation_id"]
    browser.get(f"/api/v1/conversations/{conversation_id}/messages?{name}={2**31 - 1}")


@pytest.mark.parametrize(
    "body",
    ["[" * 5_000, '{"message": ' + "[" * 5_000 + "]" * 5_000 + "}", f'{{"message": {LONG}}}'],
)
def test_json_that_cannot_be_read_is_refused(browser: Browser, body: str) -> None:
    assert refuse(browser.client.post("/chat", data=body, headers=JSON)) == "invalid_request"


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "", "//", "http://[v1]"])
def test_what_is_no_origin_is_another_site(browser: Browser, origin: str) -> None:
    answer = browser.client.post("/chat", json={"message": "Hi"}, headers={"Origin": origin})
    assert refuse(answer) == "forbidden"


class BrokenBody(io.RawIOBase):
    def readable(self) -> bool:
        return True

    def readinto(self, _: Any) -> int:
        raise RuntimeError("Invalid chunk size: b'zz'")


@pytest.mark.parametrize("path", ["/chat", "/api/v1/facts", "/api/v1/imports"])
def test_a_body_that_breaks_is_refused(browser: Browser, path: str) -> None:
    answer = browser.client.post(
        path,
        headers=JSON | {"Transfer-Encoding": "chunked"},
        environ_overrides={
            "wsgi.input": io.BufferedReader(BrokenBody()),
            "wsgi.input_terminated": True,
        },
    )
    refuse(answer)


def test_as_many_characters_as_are_allowed_are_taken_in_any_spelling(browser: Browser) -> None:
    escaped = '{"message": "' + "\\ud83d\\ude00" * 100_000 + '"}'
    assert browser.client.post("/chat", data=escaped, headers=JSON).status_code == 200


def test_a_failed_message_that_is_sent_again_says_that_it_failed(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    openai_server.script(Scripted(status=401))
    send = {"json": {"message": "Hello"}, "headers": {"Idempotency-Key": "k-1"}}
    assert wired.client.post("/chat", **send).status_code >= 400
    again = wired.client.post("/chat", **send)
    assert (again.status_code, again.headers["Idempotent-Replayed"]) == (502, "true")
    assert code_of(again) == "reply_failed"


def test_a_reply_without_end_is_cut(wired: Browser, openai_server: FakeOpenAI) -> None:
    openai_server.script(Scripted(text="word " * 3 + "x" * 1_900_000))
    reply = wired.chat("Go on").get_json()
    assert (reply["status"], reply["finish_reason"], len(reply["reply"])) == (
        "partial",
        "length",
        400_000,
    )


def test_a_text_without_end_is_not_imported(browser: Browser) -> None:
    def send(*contents: str) -> Any:
        messages = [utterance("user", content) for content in contents]
        return browser.client.post("/api/v1/imports", json=[{"id": "1", "messages": messages}])

    assert refuse(send("x" * 5_000_000)) == "broken_import"
    for contents in (["x" * 1_500_000], ["x" * 600_000, "y" * 600_000]):
        report = send(*contents).get_json()
        assert report["conversations"] == {"imported": 0, "skipped": 0, "failed": 1}
        assert report["errors"][0]["code"] == "unreadable_conversation"


def test_who_does_not_own_a_conversation_does_not_wait_for_its_lock(
    browser: Browser, talk: Conversing
) -> None:
    stranger = Conversing(talk.services)
    stranger.close(stranger.open(), Outcome(status="complete", content="Fine."))
    with as_owner(talk.services) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT FROM conversations FOR UPDATE")
        path = f"/api/v1/conversations/{stranger.conversation_id}/jobs/summary/run"
        assert refuse(browser.client.post(path, json={})) == "not_found"
