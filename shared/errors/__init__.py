"""Every error that this project raises, in one tree.

ThroughlineError
├── TransientError                 the same call may succeed later
│   ├── DatabaseUnavailableError     503
│   │   ├── DatabaseTimeoutError       503
│   │   └── DatabaseFullError          503
│   ├── NoRoomError                  503
│   ├── FlowerUnavailableError       503
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
│   ├── ModelAnswerTooLargeError     502
│   ├── OutOfTokensError             502
│   └── ModelOutputError             502
└── RequestError                   the caller has to change the request
    ├── InvalidRequestError          400
    │   ├── BrokenImportError          400
    │   ├── UnreadableConversationError 400
    │   │   └── UnknownFormError        400
    │   ├── KeyReusedError              422
    │   ├── FileTypeError               415
    │   └── UnreadableFileError         422
    ├── NotSignedInError             401
    │   └── InvalidTokenError          401
    ├── ForbiddenError               403
    │   └── MissingScopeError          403
    ├── NotFoundError                404
    └── ConflictError                409
        ├── RoundInProgressError       409
        ├── JobInProgressError         409
        ├── NothingToDoError           409
        ├── FileGoneError              409
        ├── NameTakenError             409
        ├── KeyNeededError             409
        └── AlreadySentError           409

The docstring of a class is its default message. `code` is what clients may rely on.
"""

from __future__ import annotations

from shared.errors.base import ThroughlineError
from shared.errors.permanent import (
    InputRefusedError,
    InputTooLongError,
    ModelAnswerTooLargeError,
    ModelOutputError,
    ModelRefusedError,
    OutOfTokensError,
    PermanentError,
    ReplyFailedError,
    ReplyTooLongError,
    RequestNotAcceptedError,
)
from shared.errors.requests import (
    AlreadySentError,
    BrokenImportError,
    ConflictError,
    FieldError,
    FileGoneError,
    FileTypeError,
    ForbiddenError,
    InvalidRequestError,
    InvalidTokenError,
    JobInProgressError,
    KeyNeededError,
    KeyReusedError,
    MissingScopeError,
    NameTakenError,
    NotFoundError,
    NothingToDoError,
    NotSignedInError,
    RequestError,
    RoundInProgressError,
    UnknownFormError,
    UnreadableConversationError,
    UnreadableFileError,
)
from shared.errors.transient import (
    BusyError,
    DatabaseFullError,
    DatabaseTimeoutError,
    DatabaseUnavailableError,
    EmptyAnswerError,
    FlowerUnavailableError,
    InterruptedWorkError,
    LeaseLostError,
    MemoryYieldsError,
    ModelTimeoutError,
    ModelUnavailableError,
    NoRoomError,
    QuotaUsedUpError,
    RateLimitedError,
    TooManyAtOnceError,
    TooManyAttemptsError,
    TooManyRoundsError,
    TransientError,
)

__all__ = [
    "AlreadySentError",
    "BrokenImportError",
    "BusyError",
    "ConflictError",
    "DatabaseFullError",
    "DatabaseTimeoutError",
    "DatabaseUnavailableError",
    "EmptyAnswerError",
    "FieldError",
    "FileGoneError",
    "FileTypeError",
    "FlowerUnavailableError",
    "ForbiddenError",
    "InputRefusedError",
    "InputTooLongError",
    "InterruptedWorkError",
    "InvalidRequestError",
    "InvalidTokenError",
    "JobInProgressError",
    "KeyNeededError",
    "KeyReusedError",
    "LeaseLostError",
    "MemoryYieldsError",
    "MissingScopeError",
    "ModelAnswerTooLargeError",
    "ModelOutputError",
    "ModelRefusedError",
    "ModelTimeoutError",
    "ModelUnavailableError",
    "NameTakenError",
    "NoRoomError",
    "NotFoundError",
    "NotSignedInError",
    "NothingToDoError",
    "OutOfTokensError",
    "PermanentError",
    "QuotaUsedUpError",
    "RateLimitedError",
    "ReplyFailedError",
    "ReplyTooLongError",
    "RequestError",
    "RequestNotAcceptedError",
    "RoundInProgressError",
    "ThroughlineError",
    "TooManyAtOnceError",
    "TooManyAttemptsError",
    "TooManyRoundsError",
    "TransientError",
    "UnknownFormError",
    "UnreadableConversationError",
    "UnreadableFileError",
]
