"""The user's webhooks, and what is delivered to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, get_args

from flask import Blueprint, g
from pydantic import Field

from shared.errors import ConflictError
from shared.events import subscriptions
from shared.events.announcements import announce
from shared.events.subscriptions import Subscription
from shared.models import (
    Delivery,
    DeliveryError,
    DeliveryStatus,
    EventType,
    SubscribableType,
    Webhook,
    WebhookChange,
)
from shared.settings import Settings
from shared.store import deliveries, webhooks
from shared.store.deliveries import DeliveryFilter
from web.api.answers import Answer, Instant, Page
from web.api.cursors import cut_page, next_cursor, read_cursor
from web.api.operation import operation
from web.api.patterns import WebhookUrl
from web.process.context import transaction, web_context
from web.requests.callers import needs
from web.requests.forms import StrictForm
from web.requests.queries import BigNumber, Listing

blueprint = Blueprint("webhooks", __name__, url_prefix="/webhooks")

WEBHOOK = "/<bigint:webhook_id>"
DELIVERY = "/deliveries/<bigint:delivery_id>"

SUBSCRIBABLE: tuple[SubscribableType, ...] = get_args(SubscribableType)
EventTypes = Annotated[list[SubscribableType], Field(min_length=1, max_length=20)]


class WebhookForm(StrictForm):
    """An address to be told of events."""

    url: WebhookUrl = Field(examples=["https://hooks.example.org/memory"])
    event_types: EventTypes = Field(default_factory=lambda: list(SUBSCRIBABLE))
    with_text: bool = Field(default=False, description="Send texts, not ids alone.")


class WebhookChangeForm(StrictForm):
    """The fields to change. The others stay as they are."""

    url: WebhookUrl | None = None
    event_types: EventTypes | None = None
    with_text: bool | None = None
    enabled: bool | None = None


class WebhooksQuery(Listing):
    DEFAULT = 100


class DeliveriesQuery(Listing):
    webhook_id: BigNumber | None = Field(default=None, description="To one webhook.")
    status: DeliveryStatus | None = Field(
        default=None, description="`dead` deliveries are tried no more."
    )


class WebhookAnswer(Answer):
    webhook_id: int
    url: str
    event_types: list[EventType]
    with_text: bool
    enabled: bool
    disabled_at: Instant | None
    failures: int = Field(description="Failed requests since the last success.")
    old_secret_until: Instant | None = Field(
        description="Until then the secret before the last rotation signs, too."
    )
    created_at: Instant


class NewWebhookAnswer(WebhookAnswer):
    secret: str = Field(description="Verifies signatures. It is in no later answer.")


class DeliveryCounts(Answer):
    pending: int = 0
    delivered: int = 0
    dead: int = 0


class ListedWebhook(WebhookAnswer):
    deliveries: DeliveryCounts


class WebhookPage(Page):
    webhooks: list[ListedWebhook]
    event_types: list[EventType] = Field(description="Those that a webhook may be told of.")


class DeliveryAnswer(Answer):
    """One event on its way to one webhook."""

    delivery_id: int
    webhook_id: int
    event_id: int
    type: EventType
    data: dict[str, object] = Field(description="The event's ids.")
    status: DeliveryStatus
    attempts: int
    due_at: Instant | None = Field(description="When it is tried next.")
    http_status: int | None = Field(description="Of the last answer.")
    error: DeliveryError | None
    created_at: Instant
    finished_at: Instant | None


class DeliveryPage(Page):
    deliveries: list[DeliveryAnswer]


class TestAnswer(Answer):
    event_id: int


class RedeliveryAnswer(Answer):
    delivery_id: int


@blueprint.get("")
@needs("memory:read")
@operation()
def list_webhooks(query: WebhooksQuery) -> WebhookPage:
    """List webhooks, newest first, with the numbers of their deliveries by status."""
    with transaction() as connection:
        entries = webhooks.list_webhooks(connection, g.user_id)
        ids = [webhook.webhook_id for webhook in entries]
        counts = deliveries.count_by_status(connection, g.user_id, ids)
    page, after = cut_page(entries, query, lambda webhook: (-webhook.webhook_id,))
    return WebhookPage(
        webhooks=[
            ListedWebhook(**_fields(webhook), deliveries=_counts(counts, webhook.webhook_id))
            for webhook in page
        ],
        event_types=list(SUBSCRIBABLE),
        next_cursor=after,
    )


@blueprint.post("")
@needs("memory:read", "memory:write")
@operation(201, raises=(ConflictError,), once=True)
def add_webhook(form: WebhookForm) -> tuple[NewWebhookAnswer, int]:
    """Make a webhook. Its secret is in this answer alone."""
    subscription = Subscription(
        url=form.url, event_types=sorted(set(form.event_types)), with_text=form.with_text
    )
    with transaction() as connection:
        webhook, secret = subscriptions.subscribe(connection, g.user_id, subscription, _settings())
    return NewWebhookAnswer(**_fields(webhook), secret=secret), 201


@blueprint.patch(WEBHOOK)
@needs("memory:read", "memory:write")
@operation()
def change_webhook(webhook_id: int, form: WebhookChangeForm) -> WebhookAnswer:
    """Change a webhook. Once it is enabled again, it is told at once what was pending."""
    change = WebhookChange(
        url=form.url,
        event_types=None if form.event_types is None else sorted(set(form.event_types)),
        with_text=form.with_text,
        enabled=form.enabled,
    )
    with transaction() as connection:
        webhook = subscriptions.change(connection, g.user_id, webhook_id, change, _settings())
    announce(web_context().services, g.user_id)
    return WebhookAnswer(**_fields(webhook))


@blueprint.delete(WEBHOOK)
@needs("memory:write")
@operation(204)
def delete_webhook(webhook_id: int) -> None:
    """Delete a webhook, with its deliveries."""
    with transaction() as connection:
        subscriptions.unsubscribe(connection, g.user_id, webhook_id)


@blueprint.post(f"{WEBHOOK}/rotate")
@needs("memory:read", "memory:write")
@operation()
def rotate_secret(webhook_id: int) -> NewWebhookAnswer:
    """Give a webhook a new secret. The former one signs, too, until `old_secret_until`."""
    with transaction() as connection:
        webhook, secret = subscriptions.rotate(connection, g.user_id, webhook_id, _settings())
    return NewWebhookAnswer(**_fields(webhook), secret=secret)


@blueprint.post(f"{WEBHOOK}/test")
@needs("memory:write")
@operation(202, raises=(ConflictError,))
def send_test_event(webhook_id: int) -> tuple[TestAnswer, int]:
    """Send a `webhook.test` event to a webhook."""
    with transaction() as connection:
        event_id = subscriptions.send_test(connection, g.user_id, webhook_id)
    announce(web_context().services, g.user_id)
    return TestAnswer(event_id=event_id), 202


@blueprint.get("/deliveries")
@needs("memory:read")
@operation()
def list_deliveries(query: DeliveriesQuery) -> DeliveryPage:
    """List deliveries to webhooks, newest first."""
    place = read_cursor(query)
    delivery_filter = DeliveryFilter(
        webhook_id=query.webhook_id,
        status=query.status,
        before=place[0] if place else None,
    )
    with transaction() as connection:
        entries = deliveries.list_deliveries(connection, g.user_id, delivery_filter, query.size + 1)
    page = entries[: query.size]
    return DeliveryPage(
        deliveries=[_delivery_answer(delivery) for delivery in page],
        next_cursor=next_cursor(entries, query, lambda delivery: (delivery.delivery_id,)),
    )


@blueprint.post(f"{DELIVERY}/redeliver")
@needs("memory:write")
@operation(202, raises=(ConflictError,))
def redeliver(delivery_id: int) -> tuple[RedeliveryAnswer, int]:
    """Send an event to a webhook again, under the same `webhook-id`."""
    with transaction() as connection:
        subscriptions.send_again(connection, g.user_id, delivery_id)
    announce(web_context().services, g.user_id)
    return RedeliveryAnswer(delivery_id=delivery_id), 202


def _fields(webhook: Webhook) -> dict[str, Any]:
    """The fields of a `WebhookAnswer`."""
    return {
        "webhook_id": webhook.webhook_id,
        "url": webhook.url,
        "event_types": list(webhook.event_types),
        "with_text": webhook.with_text,
        "enabled": webhook.disabled_at is None,
        "disabled_at": webhook.disabled_at,
        "failures": webhook.failures,
        "old_secret_until": webhook.old_secret_until,
        "created_at": webhook.created_at,
    }


def _counts(counts: Mapping[tuple[int, DeliveryStatus], int], webhook_id: int) -> DeliveryCounts:
    counts_by_status = {
        status: count for (target_id, status), count in counts.items() if target_id == webhook_id
    }
    return DeliveryCounts.model_validate(counts_by_status)


def _delivery_answer(delivery: Delivery) -> DeliveryAnswer:
    return DeliveryAnswer(
        delivery_id=delivery.delivery_id,
        webhook_id=delivery.webhook_id,
        event_id=delivery.event.event_id,
        type=delivery.event.type,
        data=dict(delivery.event.data),
        status=delivery.status,
        attempts=delivery.attempts,
        due_at=delivery.due_at if delivery.status == "pending" else None,
        http_status=delivery.http_status,
        error=delivery.error,
        created_at=delivery.created_at,
        finished_at=delivery.finished_at,
    )


def _settings() -> Settings:
    return web_context().services.settings
