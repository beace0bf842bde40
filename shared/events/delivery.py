"""Delivers events to one webhook: signed, one after the other, at least once each.

A worker holds the webhook's lease meanwhile. If it dies, the lease ends, the event that it was
sending is due again, and the sweep sends another worker.
"""

from __future__ import annotations

import json
import logging
import random
import threading
from datetime import UTC, datetime

from shared.db import PgConnection
from shared.events.payloads import write_payloads
from shared.events.webhook_client import post
from shared.events.webhook_secrets import UnreadableSecretError, decrypt, sign
from shared.events.webhook_targets import target_rule
from shared.metrics.counters import WEBHOOK_REQUESTS
from shared.models import Attempt, Delivery, DeliveryStatus, Webhook, WebhookLease
from shared.policy.webhooks import MOST_TRIES, UnusableUrlError, next_try_s, pause_s, read_target
from shared.services import Services
from shared.settings import Settings
from shared.store import deliveries, webhooks
from shared.timing import Deadline

logger = logging.getLogger(__name__)

AT_ONCE = 3  # in one process; the other threads are left to memory
WHILE_S = 20.0  # one task delivers so long; then others have their turn
#: For a whole request. Receivers are to answer first and work then, as all services ask of them.
WEBHOOK_TIMEOUT_S = 15.0
SPARE_S = 15.0  # of a lease, beyond the time of a request; looking up a name may take long

_slots = threading.BoundedSemaphore(AT_ONCE)


def deliver(services: Services, webhook_id: int, timeout_s: float = WEBHOOK_TIMEOUT_S) -> None:
    """Send what is due for the webhook, unless another worker does. Ends at the first failure."""
    if not _slots.acquire(blocking=False):
        return  # the sweep sends the task again
    try:
        with services.database.transaction() as connection:
            lease = webhooks.lease_webhook(connection, webhook_id, timeout_s + SPARE_S)
        if lease is not None:
            _deliver_all(services, lease, timeout_s)
    finally:
        _slots.release()


def _deliver_all(services: Services, lease: WebhookLease, timeout_s: float) -> None:
    ends = Deadline(WHILE_S)
    while ends.left_ms() and _deliver_next(services, lease, timeout_s):
        pass
    with services.database.transaction(user=lease.user_id) as connection:
        webhooks.release_lease(connection, lease)


def _deliver_next(services: Services, lease: WebhookLease, timeout_s: float) -> bool:
    """False: nothing is due, the lease was lost, or the request failed."""
    settings, lease_s = services.settings, timeout_s + SPARE_S
    with services.database.transaction(user=lease.user_id) as connection:
        webhook = webhooks.renew_lease(connection, lease, lease_s)
        delivery = deliveries.begin_next(connection, lease, lease_s) if webhook else None
        if webhook is None or delivery is None:
            return False
        if delivery.attempts > MOST_TRIES:
            return _give_up(connection, lease, delivery)
        [payload] = write_payloads(
            connection, lease.user_id, [delivery.event], with_text=webhook.with_text
        )
    body = json.dumps(payload.body, ensure_ascii=False, separators=(",", ":"))
    attempt = _send(webhook, delivery, body, settings, timeout_s)
    WEBHOOK_REQUESTS.labels(outcome=attempt.error or "delivered").inc()
    _note(services, lease, webhook, delivery, attempt)
    return attempt.error is None


def _give_up(connection: PgConnection, lease: WebhookLease, delivery: Delivery) -> bool:
    """End a delivery that was begun as often as it may be: nobody wrote how its last try ended.

    True: the next delivery is due.
    """
    lost = Attempt(error="worker_lost")
    _log(delivery, lost)
    deliveries.finish(connection, lease, delivery.delivery_id, lost, "dead")
    return True


def _send(
    webhook: Webhook, delivery: Delivery, body: str, settings: Settings, timeout_s: float
) -> Attempt:
    rule = target_rule(settings)
    try:
        target = read_target(webhook.url, rule)  # the rule may have changed since it was made
        secrets = _current_secrets(webhook, datetime.now(UTC), settings)
    except UnusableUrlError:
        return Attempt(error="address_refused")
    except UnreadableSecretError:
        return Attempt(error="secret_unreadable")
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": "Throughline-Webhooks",
        **sign(secrets, f"evt_{delivery.event.event_id}", datetime.now(UTC), body),
    }
    return post(target, rule, headers, body.encode(), timeout_s)


def _current_secrets(webhook: Webhook, now: datetime, settings: Settings) -> list[str]:
    secrets = [webhook.secret]
    if webhook.old_secret and webhook.old_secret_until and webhook.old_secret_until > now:
        secrets.append(webhook.old_secret)
    return [decrypt(secret, settings) for secret in secrets]


def _note(
    services: Services,
    lease: WebhookLease,
    webhook: Webhook,
    delivery: Delivery,
    attempt: Attempt,
) -> None:
    """Write what became of the request. A worker that lost its lease writes nothing."""
    is_gone, pause = attempt.error == "gone", None
    if attempt.error is not None:
        pause = pause_s(attempt, webhook.failures + 1, random.random())  # noqa: S311
        _log(delivery, attempt)
    with services.database.transaction(user=lease.user_id) as connection:
        if not webhooks.note_attempt(connection, lease, pause_s=pause, is_gone=is_gone):
            return
        again_s = None
        if attempt.error is not None and not is_gone:
            again_s = next_try_s(attempt, delivery.attempts, random.random())  # noqa: S311
        if again_s is not None:
            deliveries.put_off(connection, lease, delivery.delivery_id, attempt, again_s)
        else:
            status: DeliveryStatus = "dead" if attempt.error else "delivered"
            deliveries.finish(connection, lease, delivery.delivery_id, attempt, status)


def _log(delivery: Delivery, attempt: Attempt) -> None:
    fields = {
        "webhook_id": delivery.webhook_id,
        "delivery_id": delivery.delivery_id,
        "attempts": delivery.attempts,
        "code": attempt.error,
        "status": attempt.http_status,
    }
    logger.warning("webhook.not_delivered", extra=fields)
