"""The round over HTTP, in this process, against real Postgres and Redis."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from shared.settings import Settings
from web.app import create_app


@pytest.fixture
def client(settings: Settings) -> Iterator[FlaskClient]:
    app = create_app(settings)
    with app.test_client() as client:
        yield client
    context = app.extensions["throughline"]
    context.runner.drain(5)
    context.services.close()


def events_of(text: str) -> list[tuple[str, dict[str, object]]]:
    blocks = [block for block in text.split("\n\n") if block and not block.startswith(":")]
    pairs = [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks]
    return [(pair["event"], json.loads(pair["data"])) for pair in pairs]


def test_a_message_gets_a_reply_and_both_are_kept(client: FlaskClient) -> None:
    answer = client.post("/chat", json={"message": "Hello, my name is Alexander."})
    assert answer.status_code == 200, answer.text
    body = answer.get_json()
    assert body["reply"]
    assert answer.headers["X-Conversation-Id"] == body["conversation_id"]
    listed = client.get(f"/api/conversations/{body['conversation_id']}/messages").get_json()
    assert [m["role"] for m in listed["messages"]] == ["user", "assistant"]
    assert listed["messages"][1]["content"] == body["reply"]


def test_a_stream_has_meta_deltas_and_done(client: FlaskClient) -> None:
    answer = client.post("/chat", json={"message": "Hello there", "stream": True})
    events = events_of(answer.text)
    assert [name for name, _ in events][0] == "meta"
    assert events[-1][0] == "done"
    text = "".join(data["text"] for name, data in events if name == "delta")
    assert text == events[-1][1]["content"]


def test_rounds_lead_to_a_summary(client: FlaskClient, settings: Settings) -> None:
    from shared.derivations.summary import summarize
    from shared.services import Services

    conversation_id = None
    for text in ("Hello, my name is Alexander.", "I live in Berlin.", "What is my name?"):
        body = {"message": text} | ({"conversation_id": conversation_id} if conversation_id else {})
        answer = client.post("/chat", json=body).get_json()
        conversation_id = answer["conversation_id"]
        print(answer)
    jobs = client.get(f"/api/conversations/{conversation_id}/jobs").get_json()["jobs"]
    print(jobs)
    services = Services(settings)
    summarize(services, jobs[0]["id"])
    services.close()
    memory = client.get(f"/api/conversations/{conversation_id}/memory").get_json()
    print(memory)
    assert memory["summary_end"] == 5
    assert client.get("/readyz").get_json()["ready"]
