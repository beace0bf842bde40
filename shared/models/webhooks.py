"""Webhooks, and what is delivered to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from shared.models.events import Event, EventType
from shared.models.ids import UserId

DeliveryStatus = Literal["pending", "delivered", "dead"]
#: Why a request got no answer, or none that counts.
DeliveryError = Literal[
    "address_refused",  # the name leads to an address that is not allowed
    "name_unknown",
    "timeout",
    "tls_failed",
    "connection_failed",
    "answer_unreadable",
    "refused",  # an answer other than 2xx
    "gone",  # 410: the receiver wants no more
    "secret_unreadable",  # SECRET_KEY has changed since the secret was made
    "worker_lost",  # at every try, or at the last one, the worker ended before the request did
]


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """An address of the user's that is told of events."""

    webhook_id: int
    url: str
    event_types: tuple[EventType, ...]
    #: Facts and episodes are sent with their texts, not with ids alone.
    with_text: bool
    #: Encrypted.
    secret: bytes
    #: Encrypted. The secret before the last rotation; it also signs until `old_secret_until`.
    old_secret: bytes | None
    old_secret_until: datetime | None
    #: None: it is in use.
    disabled_at: datetime | None
    #: Failed requests since the last success.
    failures: int
    #: No request is made before.
    resume_at: datetime
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class NewWebhook:
    """A webhook that is still to be written. `secret` is encrypted."""

    user_id: UserId
    url: str
    event_types: Sequence[EventType]
    with_text: bool
    secret: bytes


@dataclass(frozen=True, kw_only=True)
class WebhookChange:
    """The fields to change. None leaves one as it is."""

    url: str | None = None
    event_types: Sequence[EventType] | None = None
    with_text: bool | None = None
    enabled: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """One event on its way to one webhook."""

    delivery_id: int
    webhook_id: int
    event: Event
    status: DeliveryStatus
    #: How often it was tried.
    attempts: int
    #: When it is tried next, if it is pending.
    due_at: datetime
    #: Of the last answer. None: there was none.
    http_status: int | None
    #: None: the last attempt succeeded, or there was none.
    error: DeliveryError | None
    created_at: datetime
    #: None: it is pending.
    finished_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class WebhookLease:
    """A webhook that one worker delivers to. Later writes must show the token."""

    webhook_id: int
    user_id: UserId
    fencing_token: int


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """What became of one request."""

    #: None: there was no answer.
    http_status: int | None = None
    #: None: it succeeded.
    error: DeliveryError | None = None
    #: What the receiver asks for, in seconds.
    retry_after_s: float | None = None
