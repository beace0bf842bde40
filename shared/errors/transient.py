"""Passing faults: the same call may succeed later."""

from __future__ import annotations

from shared.errors.base import ThroughlineError


class TransientError(ThroughlineError):
    """A passing fault. Please try again in a moment."""

    code = "unavailable"
    http_status = 503
    retry_after_s: float | None = None


class DatabaseUnavailableError(TransientError):
    """The database cannot be reached right now. Please try again in a moment."""

    code = "database_unavailable"
    retry_after_s = 2.0


class DatabaseTimeoutError(DatabaseUnavailableError):
    """The database took too long. Please try again in a moment."""

    code = "database_timeout"


class DatabaseFullError(DatabaseUnavailableError):
    """The server has no room left to keep anything. Please try again later."""


class NoRoomError(TransientError):
    """The server has no room left to keep anything. Please try again later."""

    code = "no_room"
    retry_after_s = 30.0


class FlowerUnavailableError(TransientError):
    """Flower cannot be reached."""

    code = "flower_unavailable"


class ModelUnavailableError(TransientError):
    """The model cannot be reached right now."""

    code = "model_unavailable"


class ModelTimeoutError(ModelUnavailableError):
    """The model did not answer in time."""

    code = "model_timeout"
    http_status = 504


class EmptyAnswerError(ModelUnavailableError):
    """The model gave an empty answer."""

    code = "model_empty"


class RateLimitedError(ModelUnavailableError):
    """The model's provider asks us to slow down."""

    code = "model_rate_limited"

    def __init__(self, message: str | None = None, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class InterruptedWorkError(TransientError):
    """Background work was broken off. It is done again later."""

    code = "interrupted"


class LeaseLostError(InterruptedWorkError):
    """Somebody else has this work now, or it is no longer wanted."""

    code = "lease_lost"


class MemoryYieldsError(InterruptedWorkError):
    """Replies come first: this work goes on when none waits for the model."""

    code = "memory_yields"


class QuotaUsedUpError(TransientError):
    """Your quota is used up."""

    code = "quota_used_up"
    http_status = 429

    def __init__(self, message: str | None = None, retry_after_s: float | None = None) -> None:
        """`retry_after_s`: until there may be a new quota."""
        super().__init__(message)
        self.retry_after_s = retry_after_s


class BusyError(TransientError):
    """Too many replies are being written right now. Please try again in a few seconds."""

    code = "busy"
    retry_after_s = 3.0


class TooManyAtOnceError(BusyError):
    """Much of yours is being worked on already. Please wait for some of it to finish."""

    code = "too_many_at_once"
    http_status = 429


class TooManyRoundsError(TooManyAtOnceError):
    """Many of your replies are being written already. Please wait for one of them to finish."""

    code = "too_many_rounds"


class TooManyAttemptsError(TooManyAtOnceError):
    """There were too many attempts. Please wait a few minutes."""

    code = "too_many_attempts"

    def __init__(self, message: str | None = None, retry_after_s: float = 60.0) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
