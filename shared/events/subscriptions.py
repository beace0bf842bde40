"""What users do with their webhooks: make, change, rotate, test, send again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shared.access.audit import record
from shared.db import PgConnection
from shared.errors import ConflictError
from shared.events.webhook_secrets import OVERLAP_S, encrypt, make_secret
from shared.events.webhook_targets import check_url
from shared.models import (
    EventType,
    NewEvent,
    NewWebhook,
    Thing,
    UserId,
    Webhook,
    WebhookChange,
)
from shared.settings import Settings
from shared.store import deliveries, events, users, webhooks

MAX_WEBHOOKS_PER_USER = 10  # each event is sent to all of them


@dataclass(frozen=True, kw_only=True)
class Subscription:
    """A webhook as its user asks for it."""

    url: str
    event_types: Sequence[EventType]
    with_text: bool


def subscribe(
    connection: PgConnection, user_id: UserId, subscription: Subscription, settings: Settings
) -> tuple[Webhook, str]:
    """Add a webhook. Returns it and its secret, which is shown only this once.

    Raises `InvalidRequestError` for the URL, and `ConflictError` when the user has too many.
    """
    check_url(subscription.url, settings)
    users.ensure_user(connection, user_id)
    users.lock_user(connection, user_id)
    if len(webhooks.list_webhooks(connection, user_id)) >= MAX_WEBHOOKS_PER_USER:
        raise ConflictError(f"You have {MAX_WEBHOOKS_PER_USER} webhooks, and cannot have more.")
    secret = make_secret()
    new = NewWebhook(
        user_id=user_id,
        url=subscription.url,
        event_types=subscription.event_types,
        with_text=subscription.with_text,
        secret=encrypt(secret, settings),
    )
    webhook = webhooks.add_webhook(connection, new)
    record(connection, "webhook.create", user_id, _thing(webhook.webhook_id))
    return webhook, secret


def change(
    connection: PgConnection,
    user_id: UserId,
    webhook_id: int,
    changes: WebhookChange,
    settings: Settings,
) -> Webhook:
    if changes.url is not None:
        check_url(changes.url, settings)
    changed = webhooks.change_webhook(connection, user_id, webhook_id, changes)
    record(connection, "webhook.change", user_id, _thing(webhook_id))
    return changed


def unsubscribe(connection: PgConnection, user_id: UserId, webhook_id: int) -> None:
    """Delete the webhook, with its deliveries. Raises `NotFoundError`."""
    webhooks.delete_webhook(connection, user_id, webhook_id)
    record(connection, "webhook.delete", user_id, _thing(webhook_id))


def rotate(
    connection: PgConnection, user_id: UserId, webhook_id: int, settings: Settings
) -> tuple[Webhook, str]:
    """Give a webhook a new secret. The old one also signs for a day, while receivers change."""
    secret = make_secret()
    encrypted = encrypt(secret, settings)
    rotated = webhooks.rotate_secret(connection, user_id, webhook_id, encrypted, OVERLAP_S)
    record(connection, "webhook.change", user_id, _thing(webhook_id))
    return rotated, secret


def send_test(connection: PgConnection, user_id: UserId, webhook_id: int) -> int:
    """Send a test event to this webhook alone. Returns the event's id."""
    _get_enabled(connection, user_id, webhook_id)
    new = NewEvent(type="webhook.test", data={"webhook_id": webhook_id})
    event_id = events.add_event(connection, user_id, new)
    deliveries.add_delivery(connection, user_id, webhook_id, event_id)
    webhooks.resume_webhook(connection, user_id, webhook_id)
    return event_id


def send_again(connection: PgConnection, user_id: UserId, delivery_id: int) -> None:
    """Begin a delivery anew, under the same `webhook-id`. Raises `NotFoundError`."""
    webhook_id = deliveries.send_again(connection, user_id, delivery_id)
    _get_enabled(connection, user_id, webhook_id)
    webhooks.resume_webhook(connection, user_id, webhook_id)


def _get_enabled(connection: PgConnection, user_id: UserId, webhook_id: int) -> None:
    if webhooks.get_webhook(connection, user_id, webhook_id).disabled_at is not None:
        raise ConflictError("This webhook is switched off.")


def _thing(webhook_id: int) -> Thing:
    return Thing("webhook", str(webhook_id))
