"""Translate errors of providers' clients into ours: transient or permanent, with a message.

A provider's own text can contain keys and the user's words. It is kept in `provider_said`, without
keys, for users who may see it. It never gets into messages, logs or tracebacks (our errors are
raised `from None`).
"""

from __future__ import annotations

import re
from typing import Any

from shared.errors import (
    InputRefusedError,
    InputTooLongError,
    ModelOutputError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitedError,
    RequestNotAcceptedError,
    ThroughlineError,
)
from shared.llm.retry_after import read_retry_after
from shared.llm.targets import Target
from shared.policy.provider_messages import find_message, means_too_long, redact

BAD_REQUEST = "{provider} did not accept the request for {model}."
WITHHELD = "{provider} will not answer this."
TOO_LONG = "This is too long for {model}. A shorter message, or a smaller CTX_TOKENS, may fit."
UNREACHABLE = "{provider} cannot be reached right now, or answers with an error."

# By class name. An error without an entry has that of its nearest base class.
KNOWN: dict[str, tuple[type[ThroughlineError], str]] = {
    "AuthenticationError": (ModelRefusedError, "{provider} does not accept the key it was given."),
    "PermissionDeniedError": (ModelRefusedError, "The key for {provider} may not use {model}."),
    "PaymentRequiredError": (ModelRefusedError, "The account at {provider} has no credit left."),
    "BudgetExceededError": (ModelRefusedError, "The budget for {provider} is used up."),
    "NotFoundError": (ModelRefusedError, "{provider} knows no model called {model}."),
    "ModelNotMappedError": (ModelRefusedError, "{provider} knows no model called {model}."),
    "LiteLLMUnknownProvider": (ModelRefusedError, "Nobody is known to offer {model}."),
    "ContextWindowExceededError": (InputTooLongError, TOO_LONG),
    "ContentPolicyViolationError": (InputRefusedError, WITHHELD),
    "RejectedRequestError": (InputRefusedError, WITHHELD),
    "GuardrailRaisedException": (InputRefusedError, WITHHELD),
    "BlockedPiiEntityError": (InputRefusedError, WITHHELD),
    "ModifyResponseException": (InputRefusedError, WITHHELD),
    "SensitiveDataRouteException": (InputRefusedError, WITHHELD),
    "BadRequestError": (RequestNotAcceptedError, BAD_REQUEST),
    "InvalidRequestError": (RequestNotAcceptedError, BAD_REQUEST),
    "UnprocessableEntityError": (RequestNotAcceptedError, BAD_REQUEST),
    "APIResponseValidationError": (ModelOutputError, "{provider} sent what nobody can read."),
    "RateLimitError": (RateLimitedError, "{provider} asks us to slow down."),
    "Timeout": (ModelTimeoutError, "{model} did not answer in time."),
    "APIConnectionError": (ModelUnavailableError, UNREACHABLE),
    "APIError": (ModelUnavailableError, UNREACHABLE),
    "APIStatusError": (ModelUnavailableError, UNREACHABLE),
    "OpenAIError": (ModelUnavailableError, UNREACHABLE),
    # of httpx
    "TimeoutException": (ModelTimeoutError, "{model} did not answer in time."),
    "RequestError": (ModelUnavailableError, UNREACHABLE),
}
NAME = re.compile(r"[A-Za-z]+(?:_[A-Za-z]+){0,5}")
CLIENT_ERRORS = range(400, 500)
MAX_CHARS = 64 * 1024  # of what is searched for words


def translate(exc: Exception, target: Target) -> ThroughlineError:
    """Our error for an error that a call to `target` raised."""
    if isinstance(exc, ThroughlineError):
        return exc
    exc = original_of(exc)
    words = find_message(str(getattr(exc, "message", ""))[:MAX_CHARS])
    kind, text = _look_up(exc, words)
    error = kind(write_message(text, target))
    if any(_names(exc)):  # it comes from a provider
        error.provider_said = redact(words, {target.model, target.name}, target.api_key) or None
    if isinstance(error, ModelUnavailableError):
        error.retry_after_s = read_retry_after(exc)
    return error


def write_message(text: str, target: Target) -> str:
    """The sentence about this model. A provider's name stays as it is spelt."""
    sentence = text.format(provider=target.answerer, model=target.model)
    return sentence[0].upper() + sentence[1:] if target.way == "direct" else sentence


def fault_fields(exc: Exception) -> dict[str, object]:
    """Fields for the log: HTTP status and the provider's error code, but no sentence."""
    body: Any = getattr(exc, "body", None)
    body_fields = body if isinstance(body, dict) else {}
    codes = (body_fields.get("code"), body_fields.get("type"), getattr(exc, "code", None))
    code = next((code for code in codes if isinstance(code, str) and NAME.fullmatch(code)), None)
    return {"status": getattr(exc, "status_code", None), "provider_code": code}


def name_missing_key(error: ThroughlineError, missing: list[str]) -> ThroughlineError:
    """Add missing keys to the message: without a key some providers answer with a 500."""
    if not missing:
        return error
    refusal = ModelRefusedError(f"{error.message} Not set: {', '.join(missing)}.")
    refusal.provider_said = error.provider_said
    return refusal


def original_of(exc: Exception) -> Exception:
    """The cause inside litellm's `MidStreamFallbackError`s."""
    inner: Any = getattr(exc, "original_exception", None)
    return original_of(inner) if isinstance(inner, Exception) else exc


def _look_up(exc: Exception, words: str) -> tuple[type[ThroughlineError], str]:
    known_error = next((KNOWN[name] for name in _names(exc)), (ModelUnavailableError, UNREACHABLE))
    # litellm recognises some providers' words for "too long". Others arrive as a bad request, an
    # internal error, or a rate limit that a single request exceeds.
    if getattr(exc, "status_code", None) is not None and means_too_long(words):
        return InputTooLongError, TOO_LONG
    # litellm reports a timeout in the middle of a stream as a connection error.
    if known_error[1] == UNREACHABLE and _was_silent(exc):
        return KNOWN["Timeout"]
    # A plain APIError, or an unknown error: its status tells whether the request caused it.
    if known_error[1] == UNREACHABLE and getattr(exc, "status_code", None) in CLIENT_ERRORS:
        return RequestNotAcceptedError, BAD_REQUEST
    return known_error


def _names(exc: Exception) -> list[str]:
    """The names of `KNOWN` that fit, the nearest first."""
    names = [getattr(exc, "known_as", ""), *(base.__name__ for base in type(exc).__mro__)]
    return [name for name in names if name in KNOWN]


def _was_silent(exc: BaseException | None) -> bool:
    """Whether the error was a timeout: then Python's `TimeoutError` is among its causes."""
    while exc is not None:
        if isinstance(exc, TimeoutError):
            return True
        exc = exc.__cause__ or exc.__context__
    return False
