"""Every error that this project raises, in one tree.

ThroughlineError
├── TransientError                 the same call may succeed later
│   ├── DatabaseUnavailableError     503
│   │   └── DatabaseTimeoutError       503
│   ├── ModelUnavailableError        503
│   │   ├── ModelTimeoutError          504
│   │   ├── EmptyAnswerError           503
│   │   └── RateLimitedError           503
│   ├── InterruptedWorkError         503
│   │   ├── LeaseLostError             503
│   │   └── MemoryYieldsError          503
│   ├── QuotaUsedUpError             429
│   └── BusyError                    503
│       └── TooManyAtOnceError         429
│           ├── TooManyRoundsError       429
│           └── TooManyAttemptsError     429
├── PermanentError                 the same call will fail again
│   ├── ReplyFailedError             502
│   ├── ReplyTooLongError            502
│   ├── ModelRefusedError            502
│   │   ├── RequestNotAcceptedError    502
│   │   └── InputRefusedError          502
│   │       └── InputTooLongError        413
│   ├── OutOfTokensError             502
│   └── ModelOutputError             502
└── RequestError                   the caller has to change the request
    ├── InvalidRequestError          400
    │   ├── BrokenImportError          400
    │   ├── UnreadableConversationError 400
    │   └── KeyReusedError              422
    ├── NotSignedInError             401
    │   └── InvalidTokenError          401
    ├── ForbiddenError               403
    │   └── MissingScopeError          403
    ├── NotFoundError                404
    └── ConflictError                409
        ├── RoundInProgressError       409
        ├── JobInProgressError         409
        ├── NothingToDoError           409
        └── AlreadySentError           409

The docstring of a class is its default message. `code` is what clients may rely on.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class FieldError:
    """What is wrong with one part of a request."""

    detail: str
    #: A JSON pointer into the body, as a fragment ("#/value"). None: it is not of the body.
    pointer: str | None = None
    #: An argument after `?`. None: it is not one.
    parameter: str | None = None


class ThroughlineError(Exception):
    """Something went wrong."""

    code = "internal"
    http_status = 500
    #: What the model's provider said, without keys. Shown to some users, and never logged.
    provider_said: str | None = None

    def __init__(self, message: str | None = None) -> None:
        self.message = message or inspect.cleandoc(type(self).__doc__ or "")
        super().__init__(self.message)


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


class PermanentError(ThroughlineError):
    """This cannot be done as it stands."""

    code = "failed"


class ReplyFailedError(PermanentError):
    """The reply failed when it was written. Try it again, or send the message under a new key."""

    code = "reply_failed"
    http_status = 502


class ReplyTooLongError(PermanentError):
    """The model's reply is longer than the site keeps."""

    code = "reply_too_long"
    http_status = 502


class ModelRefusedError(PermanentError):
    """The model's provider refused the request. Check the model's name and key."""

    code = "model_refused"
    http_status = 502


class RequestNotAcceptedError(ModelRefusedError):
    """The model's provider did not accept the request, for its form or for what it holds."""

    code = "request_not_accepted"


class InputRefusedError(ModelRefusedError):
    """The model's provider will not answer this."""

    code = "input_refused"


class InputTooLongError(InputRefusedError):
    """This is longer than the model can read."""

    code = "input_too_long"
    http_status = 413


class OutOfTokensError(PermanentError):
    """The model reached its limit of tokens before its first word."""

    code = "out_of_tokens"
    http_status = 502


class ModelOutputError(PermanentError):
    """The model's output was not in the form that was asked for."""

    code = "model_output"
    http_status = 502

    def __init__(self, message: str | None = None, raw_text: str = "") -> None:
        super().__init__(message)
        self.raw_text = raw_text


class RequestError(ThroughlineError):
    """The request cannot be carried out."""

    code = "bad_request"
    http_status = 400


class InvalidRequestError(RequestError):
    """The request is not valid."""

    code = "invalid_request"

    def __init__(self, message: str | None = None, errors: Sequence[FieldError] = ()) -> None:
        super().__init__(message)
        self.errors = tuple(errors)


class BrokenImportError(InvalidRequestError):
    """The file is not valid JSON, or it ends too early."""

    code = "broken_import"


class UnreadableConversationError(InvalidRequestError):
    """This conversation is in no form that can be read."""

    code = "unreadable_conversation"


class KeyReusedError(InvalidRequestError):
    """This Idempotency-Key was sent with another message. Use a new key for a new message."""

    code = "idempotency_key_reused"
    http_status = 422


class NotSignedInError(RequestError):
    """Please sign in."""

    code = "not_signed_in"
    http_status = 401
    #: The answer's header `WWW-Authenticate`.
    challenge = "Bearer"


class InvalidTokenError(NotSignedInError):
    """This API token is not valid."""

    code = "invalid_token"
    challenge = 'Bearer error="invalid_token"'


class ForbiddenError(RequestError):
    """This is not allowed."""

    code = "forbidden"
    http_status = 403


class MissingScopeError(ForbiddenError):
    """The API token does not have the scope that this needs."""

    code = "missing_scope"

    def __init__(self, scopes: Sequence[str] = ()) -> None:
        super().__init__(f"This needs the scope {', '.join(scopes)}." if scopes else None)
        self.scopes = tuple(scopes)


class NotFoundError(RequestError):
    """There is nothing here, or it is not yours."""

    code = "not_found"
    http_status = 404


class ConflictError(RequestError):
    """This does not fit the present state."""

    code = "conflict"
    http_status = 409


class RoundInProgressError(ConflictError):
    """A reply is still being written in this conversation. Wait for it, or stop it."""

    code = "round_in_progress"


class JobInProgressError(ConflictError):
    """This is being worked on already."""

    code = "job_in_progress"


class NothingToDoError(ConflictError):
    """There is nothing left to do: everything is covered, or not enough was said yet."""

    code = "nothing_to_do"


class AlreadySentError(ConflictError):
    """This message has been sent before. Its reply is the one to that first sending.

    Names the place of that reply.
    """

    code = "already_sent"

    def __init__(self, conversation_id: str = "", sequence: int = 0) -> None:
        super().__init__()
        self.conversation_id = conversation_id
        self.sequence = sequence
