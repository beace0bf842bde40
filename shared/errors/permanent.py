"""Faults that stay: the same call will fail again."""

from __future__ import annotations

from shared.errors.base import ThroughlineError


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


class ModelAnswerTooLargeError(PermanentError):
    """The model's server sent far more than an answer can have."""

    code = "model_answer_too_large"
    http_status = 502


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
