"""Webhooks and their deliveries, as a test makes and sees them."""

from __future__ import annotations

from typing import Any

from shared.broker.queues import find_waiting
from shared.db import execute, fetch_row
from shared.events import subscriptions
from shared.events.subscriptions import Subscription
from shared.models import Delivery, UserId
from shared.services import Services
from shared.store import deliveries, webhooks
from shared.store.deliveries import DeliveryFilter
from tests.integration.conversing import USER

# In the order in which a delivery changes them.
DUE = "UPDATE webhooks SET resume_at = now(); UPDATE webhook_deliveries SET due_at = now()"


def subscribe(
    product: Services,
    url: str,
    event_types: list[Any] | None = None,
    *,
    with_text: bool = False,
    user_id: UserId = USER,
) -> tuple[int, str]:
    subscription = Subscription(
        url=url, event_types=event_types or ["fact.learned", "fact.replaced"], with_text=with_text
    )
    with product.database.transaction(user=user_id) as connection:
        webhook, secret = subscriptions.subscribe(
            connection, user_id, subscription, product.settings
        )
    return webhook.webhook_id, secret


def listed(product: Services, user_id: UserId = USER) -> list[Delivery]:
    with product.database.transaction(user=user_id) as connection:
        return deliveries.list_deliveries(connection, user_id, DeliveryFilter(), 100)


def die_while_sending(product: Services, webhook_id: int) -> None:
    """A worker begins the next delivery, and neither it nor its lease is left."""
    with product.database.transaction(user=USER) as connection:
        lease = webhooks.lease_webhook(connection, webhook_id, 30)
        assert lease is not None
        assert deliveries.begin_next(connection, lease, 30) is not None
    run(product, "UPDATE webhooks SET lease_until = now() - interval '1 s'")


def waiting(product: Services) -> int:
    return (find_waiting(product.broker, ["webhooks"]) or {})["webhooks"]


def make_due(product: Services) -> None:
    run(product, DUE)


def run(product: Services, sql: str) -> None:
    with product.database.transaction(user=USER) as connection:
        execute(connection, sql)


def fetch_one(product: Services, sql: str) -> Any:
    with product.database.transaction(user=USER) as connection:
        return fetch_row(connection, sql)
