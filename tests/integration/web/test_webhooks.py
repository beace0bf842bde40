"""Webhooks over the API."""

from __future__ import annotations

import pytest

from shared.events.delivery import deliver
from shared.events.subscriptions import MAX_WEBHOOKS_PER_USER
from tests.fakes.webhook_receiver import running_receiver, status
from tests.integration.web.conftest import Browser

FACT = {"category": "identity", "key": "shoe_size", "value": "39"}
URL = "https://hooks.example.org/a"


def test_a_webhook_is_made_told_once_changed_and_deleted(browser: Browser) -> None:
    answer = browser.client.post("/api/v1/webhooks", json={"url": URL})
    assert answer.status_code == 201
    webhook_id, secret = answer.get_json()["webhook_id"], answer.get_json()["secret"]
    assert secret.startswith("whsec_")
    assert secret not in browser.client.get("/api/v1/webhooks").text
    [listed] = browser.get("/api/v1/webhooks")["webhooks"]
    assert listed["event_types"] == [
        "conversation.branched", "episode.closed", "fact.learned", "fact.replaced",
        "fact.suggested", "job.failed",
        "reply.changed",
    ]  # fmt: skip
    path = f"/api/v1/webhooks/{webhook_id}"
    change = {"url": f"{URL}b", "with_text": True, "enabled": False, "event_types": ["job.failed"]}
    changed = browser.client.patch(path, json=change).get_json()
    assert {name: changed[name] for name in change} == change
    again = browser.client.patch(path, json={"enabled": True}).get_json()
    assert (again["enabled"], again["with_text"], again["url"]) == (True, True, f"{URL}b")
    rotated = browser.client.post(f"{path}/rotate", json={}).get_json()
    assert rotated["secret"] != secret
    assert rotated["old_secret_until"] is not None
    assert browser.client.delete(path).status_code == 204
    assert browser.client.delete(path).status_code == 404
    assert browser.get("/api/v1/webhooks")["webhooks"] == []


def test_deliveries_are_listed_page_by_page_and_sent_again(browser: Browser) -> None:
    with running_receiver() as receiver:
        receiver.answer(status(410))
        webhook_id = browser.client.post("/api/v1/webhooks", json={"url": receiver.url}).get_json()[
            "webhook_id"
        ]
        for value in ("39", "40", "41"):
            browser.client.post("/api/v1/facts", json=FACT | {"value": value})
        page = browser.get("/api/v1/webhooks/deliveries?limit=2")
        assert [delivery["type"] for delivery in page["deliveries"]] == ["fact.replaced"] * 2
        rest = browser.get(f"/api/v1/webhooks/deliveries?limit=2&cursor={page['next_cursor']}")
        assert [delivery["type"] for delivery in rest["deliveries"]] == ["fact.learned"]
        assert rest["next_cursor"] is None
        deliver(browser.context.services, webhook_id)
        [dead] = browser.get("/api/v1/webhooks/deliveries?status=dead")["deliveries"]
        assert (dead["error"], dead["http_status"]) == ("gone", 410)
        again = f"/api/v1/webhooks/deliveries/{dead['delivery_id']}/redeliver"
        assert browser.client.post(again, json={}).status_code == 409
        browser.client.patch(f"/api/v1/webhooks/{webhook_id}", json={"enabled": True})
        receiver.answer(status(204))
        assert browser.client.post(again, json={}).status_code == 202
        assert (
            browser.client.post(f"/api/v1/webhooks/{webhook_id}/test", json={}).status_code == 202
        )
        deliver(browser.context.services, webhook_id)
        [webhook] = browser.get("/api/v1/webhooks")["webhooks"]
        assert webhook["deliveries"] == {"pending": 0, "delivered": 4, "dead": 0}
        assert receiver.received[-1].event["data"] == {"webhook_id": webhook_id}


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"url": 5},
        {"url": ""},
        {"url": "http://hooks.example.org/"},
        {"url": "https://10.0.0.1/"},
        {"url": "http://127.0.0.1:25/"},
        {"url": URL, "event_types": []},
        {"url": URL, "event_types": ["webhook.test"]},
        {"url": URL, "event_types": ["fact.learned"] * 21},
        {"url": URL, "with_text": "yes"},
        {"url": URL, "secret": "whsec_AAAA"},
    ],
)
def test_a_webhook_that_cannot_be_is_refused(browser: Browser, form: object) -> None:
    assert browser.client.post("/api/v1/webhooks", json=form).status_code == 400
    assert browser.get("/api/v1/webhooks")["webhooks"] == []


def test_a_status_that_is_none_and_too_many_webhooks_are_refused(browser: Browser) -> None:
    assert browser.client.get("/api/v1/webhooks/deliveries?status=lost").status_code == 400
    for _ in range(MAX_WEBHOOKS_PER_USER):
        assert browser.client.post("/api/v1/webhooks", json={"url": URL}).status_code == 201
    assert browser.client.post("/api/v1/webhooks", json={"url": URL}).status_code == 409


def test_a_webhook_is_made_once_for_each_key(browser: Browser) -> None:
    form = {"url": "https://hooks.example.org/memory"}
    first, again = (
        browser.client.post("/api/v1/webhooks", json=form, headers={"Idempotency-Key": "one"})
        for _ in range(2)
    )
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.get_json() == first.get_json()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert len(browser.get("/api/v1/webhooks")["webhooks"]) == 1
