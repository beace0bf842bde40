"""litellm's errors become ours: which may pass, which will not, and words for a person.

A provider's own text can hold keys and the user's words. It goes along in `provider_said`, without
keys, for who may see it, and stays out of the message, of logs and (ours are raised `from None`)
of tracebacks.
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
from shared.policy.provider_words import find_words, redact, tells_too_long

BAD_REQUEST = "{provider} did not accept the request for {model}."
WITHHELD = "{provider} will not answer this."
TOO_LONG = "This is too long for {model}. A shorter message, or a smaller CTX_TOKENS, may fit."
UNREACHABLE = "{provider} cannot be reached right now, or answers with an error."

# Looked up by the names of the error's class and of its bases, the nearest first.
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
}
NAME = re.compile(r"[A-Za-z]+(?:_[A-Za-z]+){0,5}")
CLIENT_ERRORS = range(400, 500)


def translate(exc: Exception, target: Target) -> ThroughlineError:
    """Our error for whatever a call to `target` raised."""
    if isinstance(exc, ThroughlineError):
        return exc
    exc = _original(exc)
    words = find_words(str(getattr(exc, "message", "")))
    kind, text = _look_up(exc, words)
    error = kind(text.format(provider=target.provider, model=target.model))
    if any(base.__name__ in KNOWN for base in type(exc).__mro__):  # else it is no provider's
        error.provider_said = redact(words, {target.model, target.name}, target.api_key) or None
    if isinstance(error, ModelUnavailableError):
        error.retry_after_s = read_retry_after(exc)
    return error


def name_fault(exc: Exception) -> dict[str, object]:
    """For the log: the status, and the provider's names for the fault, which are no sentences."""
    body: Any = getattr(exc, "body", None)
    named = body if isinstance(body, dict) else {}
    codes = (named.get("code"), named.get("type"), getattr(exc, "code", None))
    code = next((code for code in codes if isinstance(code, str) and NAME.fullmatch(code)), None)
    return {"status": getattr(exc, "status_code", None), "provider_code": code}


def name_missing_key(error: ThroughlineError, missing: list[str]) -> ThroughlineError:
    """What a provider without a key fails with (often a 500) says nothing; this says it."""
    if not missing:
        return error
    named = ModelRefusedError(f"{error.message} Not set: {', '.join(missing)}.")
    named.provider_said = error.provider_said
    return named


def _original(exc: Exception) -> Exception:
    """What litellm wrapped into its `MidStreamFallbackError`, however often."""
    inner: Any = getattr(exc, "original_exception", None)
    return _original(inner) if isinstance(inner, Exception) else exc


def _look_up(exc: Exception, words: str) -> tuple[type[ThroughlineError], str]:
    named = (KNOWN[base.__name__] for base in type(exc).__mro__ if base.__name__ in KNOWN)
    found = next(named, (ModelUnavailableError, UNREACHABLE))
    # litellm knows some of the words for this; others come as a bad request, as an internal
    # error, or as a rate limit that one request alone exceeds.
    if getattr(exc, "status_code", None) is not None and tells_too_long(words):
        return InputTooLongError, TOO_LONG
    # litellm calls a silence in the middle of a stream a fault of the connection.
    if found[1] == UNREACHABLE and _was_silent(exc):
        return KNOWN["Timeout"]
    refused_by_status = getattr(exc, "status_code", None) in CLIENT_ERRORS
    # A bare APIError, or an error nobody knows, still tells by its status whose fault it is.
    if found[1] == UNREACHABLE and refused_by_status:
        return RequestNotAcceptedError, BAD_REQUEST
    return found


def _was_silent(exc: BaseException | None) -> bool:
    """Whether the client waited for too long: the last cause of that is Python's own error."""
    while exc is not None:
        if isinstance(exc, TimeoutError):
            return True
        exc = exc.__cause__ or exc.__context__
    return False
