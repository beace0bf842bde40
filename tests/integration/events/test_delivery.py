"""Deliveries to a real receiver."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from standardwebhooks.webhooks import WebhookVerificationError

from shared.db import fetch_rows
from shared.errors import ConflictError, InvalidRequestError, NotFoundError
from shared.events import subscriptions
from shared.events.announcements import announce, send_due_webhooks
from shared.events.delivery import deliver
from shared.events.subscriptions import MAX_WEBHOOKS_PER_USER
from shared.events.webhook_secrets import make_secret
from shared.facts.corrections import forget_fact
from shared.maintenance.sweep import sweep
from shared.models import UserId, WebhookChange
from shared.policy.webhooks import MOST_TRIES
from shared.services import Services
from shared.store import deliveries, events, webhooks
from shared.store.upkeep.erasure import delete_user
from tests.fakes.webhook_receiver import Receiver, silent, status
from tests.integration.conversing import USER
from tests.integration.events.test_outbox import state
from tests.integration.events.webhooks import (
    die_while_sending,
    fetch_one,
    listed,
    make_due,
    run,
    subscribe,
    waiting,
)
from tests.services import MakeSettings, as_owner

MakeProduct = Callable[..., Services]


@pytest.fixture
def make_product(make_settings: MakeSettings) -> Iterator[MakeProduct]:
    with ExitStack() as stack:

        def make(**settings: object) -> Services:
            services = Services(make_settings(**settings))
            stack.callback(services.close)
            return services

        yield make


@pytest.fixture
def product(make_product: MakeProduct) -> Services:
    return make_product()


def test_an_event_is_delivered_once_signed_and_with_ids_alone(
    product: Services, receiver: Receiver
) -> None:
    webhook_id, secret = subscribe(product, receiver.url)
    fact = state(product, "Lisbon")
    deliver(product, webhook_id)
    deliver(product, webhook_id)
    [request] = receiver.received
    event = request.verified(secret)
    assert event["type"] == "fact.learned"
    assert event["data"] == {"fact_id": fact.fact_id, "conversation_id": None, "sequence": None}
    assert b"Lisbon" not in request.body
    with pytest.raises(WebhookVerificationError):
        request.verified(make_secret())
    [delivery] = listed(product)
    assert (delivery.status, delivery.attempts, delivery.http_status) == ("delivered", 1, 204)


def test_a_webhook_that_asked_for_texts_gets_them_unless_they_were_deleted(
    product: Services, receiver: Receiver
) -> None:
    webhook_id, _ = subscribe(product, receiver.url, with_text=True)
    state(product, "Lisbon")
    deliver(product, webhook_id)
    assert receiver.received[-1].event["data"]["fact"]["value"] == "Lisbon"
    fact = state(product, "Porto")
    with product.database.transaction(user=USER) as connection:
        forget_fact(connection, USER, fact.fact_id)
    deliver(product, webhook_id)
    assert receiver.received[-1].event["data"]["fact"] is None
    assert b"Porto" not in receiver.received[-1].body


def test_only_the_events_that_were_asked_for_are_sent_and_to_their_user_alone(
    product: Services, receiver: Receiver
) -> None:
    subscribe(product, receiver.url, ["job.failed"])
    subscribe(product, receiver.url, user_id=UserId("bob"))
    state(product, "Lisbon")
    assert listed(product) == listed(product, UserId("bob")) == []


def test_a_delivery_whose_workers_all_die_is_dead_after_its_tries_and_the_next_one_is_sent(
    product: Services, receiver: Receiver
) -> None:
    webhook_id, _ = subscribe(product, receiver.url)
    state(product, "Lisbon")
    state(product, "Porto")
    first = listed(product)[-1].delivery_id
    for _ in range(MOST_TRIES):
        die_while_sending(product, webhook_id)
        make_due(product)
    deliver(product, webhook_id)
    second, dead = listed(product)
    assert dead.delivery_id == first
    assert (dead.status, dead.error, dead.http_status) == ("dead", "worker_lost", None)
    assert second.status == "delivered"
    assert len(receiver.received) == 1


def test_failures_are_tried_again_under_the_same_id_and_finally_end_in_the_dead_letters(
    product: Services, receiver: Receiver
) -> None:
    receiver.answer(status(500), silent(), status(302, Location="http://127.0.0.1/"))
    webhook_id, secret = subscribe(product, receiver.url)
    state(product, "Lisbon")
    for expected in ("refused", "timeout", *["refused"] * (MOST_TRIES - 2)):
        deliver(product, webhook_id, timeout_s=2)
        deliver(product, webhook_id)  # not due yet
        [delivery] = listed(product)
        assert delivery.error == expected
        make_due(product)
    assert (delivery.status, delivery.attempts, delivery.http_status) == ("dead", MOST_TRIES, 302)
    deliver(product, webhook_id)
    assert len(receiver.received) == MOST_TRIES
    receiver.answer(status(200))
    with product.database.transaction(user=USER) as connection:
        subscriptions.send_again(connection, USER, delivery.delivery_id)
    deliver(product, webhook_id)
    assert listed(product)[0].status == "delivered"
    assert len(set(receiver.ids)) == 1
    assert [request.verified(secret)["type"] for request in receiver.received]


def test_a_receiver_that_is_gone_switches_its_webhook_off(
    product: Services, receiver: Receiver
) -> None:
    receiver.answer(status(410))
    webhook_id, _ = subscribe(product, receiver.url)
    state(product, "Lisbon")
    deliver(product, webhook_id)
    assert listed(product)[0].status == "dead"
    state(product, "Porto")
    assert len(listed(product)) == 1
    with product.database.transaction(user=USER) as connection:
        assert webhooks.get_webhook(connection, USER, webhook_id).disabled_at is not None
        with pytest.raises(ConflictError):
            subscriptions.send_test(connection, USER, webhook_id)
        change = WebhookChange(enabled=True)
        webhooks.change_webhook(connection, USER, webhook_id, change)
        subscriptions.send_test(connection, USER, webhook_id)
    receiver.answer(status(200))
    deliver(product, webhook_id)
    assert receiver.received[-1].event["type"] == "webhook.test"


def test_a_receiver_that_asks_for_time_is_given_it(product: Services, receiver: Receiver) -> None:
    receiver.answer(status(503, Retry_After="600"))
    webhook_id, _ = subscribe(product, receiver.url)
    state(product, "Lisbon")
    deliver(product, webhook_id)
    row = fetch_one(
        product,
        """
        SELECT extract(epoch FROM due_at - now()) AS due_s,
               extract(epoch FROM resume_at - now()) AS resume_s
        FROM webhook_deliveries JOIN webhooks USING (user_id, webhook_id)
        """,
    )
    assert 580 < row["due_s"] < 620
    assert 580 < row["resume_s"] < 620


def test_both_secrets_sign_while_one_takes_over_from_the_other(
    product: Services, receiver: Receiver
) -> None:
    webhook_id, old = subscribe(product, receiver.url)
    with product.database.transaction(user=USER) as connection:
        _, new = subscriptions.rotate(connection, USER, webhook_id, product.settings)
    state(product, "Lisbon")
    deliver(product, webhook_id)
    assert receiver.received[0].verified(old) == receiver.received[0].verified(new)
    run(product, "UPDATE webhooks SET old_secret_until = now()")
    state(product, "Porto")
    deliver(product, webhook_id)
    assert receiver.received[1].verified(new)
    with pytest.raises(WebhookVerificationError):
        receiver.received[1].verified(old)


def test_secrets_are_stored_encrypted_and_are_lost_with_their_key(
    make_product: MakeProduct, receiver: Receiver
) -> None:
    product = make_product(secret_key="k" * 40)
    webhook_id, secret = subscribe(product, receiver.url)
    stored = bytes(fetch_one(product, "SELECT secret FROM webhooks")["secret"])
    assert secret.removeprefix("whsec_").encode() not in stored
    state(product, "Lisbon")
    deliver(make_product(secret_key="j" * 40), webhook_id)
    assert listed(product)[0].error == "secret_unreadable"
    assert receiver.received == []
    make_due(product)
    deliver(product, webhook_id)
    assert receiver.received[0].verified(secret)


def test_the_sweep_finds_what_redis_has_lost(product: Services, receiver: Receiver) -> None:
    webhook_id, _ = subscribe(product, receiver.url)
    state(product, "Lisbon")
    announce(product, USER)
    assert waiting(product) == 1
    product.redis.flushdb()
    assert waiting(product) == 0
    sweep(product)
    assert waiting(product) == 1
    deliver(product, webhook_id)
    product.redis.flushdb()
    send_due_webhooks(product)
    assert waiting(product) == 0


def test_a_worker_that_dies_leaves_the_event_to_the_next_one(
    product: Services, receiver: Receiver
) -> None:
    webhook_id, _ = subscribe(product, receiver.url)
    state(product, "Lisbon")
    with as_owner(product) as connection:
        lease = webhooks.lease_webhook(connection, webhook_id, 30)
    assert lease is not None
    with product.database.transaction(user=USER) as connection:
        dead = deliveries.begin_next(connection, lease, 30)
    assert dead is not None
    deliver(product, webhook_id)  # the lease still holds
    assert receiver.received == []
    make_due(product)
    run(product, "UPDATE webhooks SET lease_until = now() - interval '1 s'")
    deliver(product, webhook_id)
    assert receiver.ids == [f"evt_{dead.event.event_id}"]
    with product.database.transaction(user=USER) as connection:  # the first one was only slow
        assert not webhooks.note_attempt(connection, lease, pause_s=5, is_gone=True)


def test_the_number_and_the_addresses_of_webhooks_are_limited(product: Services) -> None:
    for _ in range(MAX_WEBHOOKS_PER_USER):
        subscribe(product, "https://hooks.example.org/")
    with pytest.raises(ConflictError):
        subscribe(product, "https://hooks.example.org/")
    subscribe(product, "https://hooks.example.org/", user_id=UserId("bob"))
    with pytest.raises(InvalidRequestError, match="url: names an address that is not public"):
        subscribe(product, "https://169.254.169.254/")


def test_webhooks_and_deliveries_go_with_their_user(product: Services, receiver: Receiver) -> None:
    subscribe(product, receiver.url)
    subscribe(product, receiver.url, user_id=UserId("bob"))
    state(product, "Lisbon")
    with product.database.transaction(user=USER) as connection:
        delete_user(connection, USER)
    count = "SELECT (SELECT count(*) FROM webhooks) + (SELECT count(*) FROM events) AS n"
    with as_owner(product) as connection:
        assert fetch_rows(connection, count) == [{"n": 1}]  # Bob's webhook


def test_old_events_take_their_deliveries_along(product: Services, receiver: Receiver) -> None:
    subscribe(product, receiver.url)
    state(product, "Lisbon")
    run(product, "UPDATE events SET occurred_at = now() - interval '8 days'")
    with product.database.transaction(user=USER) as connection:
        assert events.delete_events(connection, older_than_days=7, limit=10) == 1
    assert listed(product) == []


def test_nobody_sends_another_ones_delivery_again(product: Services, receiver: Receiver) -> None:
    subscribe(product, receiver.url)
    state(product, "Lisbon")
    [delivery] = listed(product)
    bob = UserId("bob")
    with product.database.transaction(user=bob) as connection, pytest.raises(NotFoundError):
        subscriptions.send_again(connection, bob, delivery.delivery_id)


def test_a_body_is_json_of_one_line_that_names_type_time_and_data(
    product: Services, receiver: Receiver
) -> None:
    webhook_id, _ = subscribe(product, receiver.url)
    state(product, "Lisbon")
    deliver(product, webhook_id)
    [request] = receiver.received
    assert set(json.loads(request.body)) == {"type", "timestamp", "data"}
    assert request.headers["content-type"] == "application/json; charset=utf-8"
