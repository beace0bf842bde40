"""litellm's errors become ours: which may pass, which will not, and words for a person.

A provider's own text is never taken over: it can hold keys and the user's words. For the same
reason ours are raised `from None`: a logged traceback must not tell it either.
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

TOO_LONG = "This is too long for {model}."
BAD_REQUEST = "{provider} did not accept the request for {model}."
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
    "ContentPolicyViolationError": (InputRefusedError, "{provider} will not answer this."),
    "RejectedRequestError": (InputRefusedError, "{provider} will not answer this."),
    "GuardrailRaisedException": (InputRefusedError, "{provider} will not answer this."),
    "BlockedPiiEntityError": (InputRefusedError, "{provider} will not answer this."),
    "ModifyResponseException": (InputRefusedError, "{provider} will not answer this."),
    "SensitiveDataRouteException": (InputRefusedError, "{provider} will not answer this."),
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
CLIENT_ERRORS = range(400, 500)
# How servers say that a prompt is too long. litellm knows some of these; others come as a bad
# request, as an internal error, or as a rate limit that one request alone exceeds.
SAYS_TOO_LONG = re.compile(
    r"context[ _](?:length|size|window|limit)|maximum context|reduce the length"
    r"|(?:prompt|input|request)(?: is)? too (?:long|large)|longer than the model",
    re.IGNORECASE,
)


def translate(exc: Exception, target: Target) -> ThroughlineError:
    """Our error for whatever a call to `target` raised."""
    if isinstance(exc, ThroughlineError):
        return exc
    exc = _original(exc)
    kind, text = (InputTooLongError, TOO_LONG) if _says_too_long(exc) else _look_up(exc)
    error = kind(text.format(provider=target.provider, model=target.model))
    if isinstance(error, ModelUnavailableError):
        error.retry_after_s = read_retry_after(exc)
    return error


def name_missing_key(error: ThroughlineError, missing: list[str]) -> ThroughlineError:
    """What a provider without a key fails with (often a 500) says nothing; this says it."""
    if not missing:
        return error
    return ModelRefusedError(f"{error.message} Not set: {', '.join(missing)}.")


def _original(exc: Exception) -> Exception:
    """What litellm wrapped into its `MidStreamFallbackError`, however often."""
    inner: Any = getattr(exc, "original_exception", None)
    return _original(inner) if isinstance(inner, Exception) else exc


def _says_too_long(exc: Exception) -> bool:
    has_status = getattr(exc, "status_code", None) is not None
    return has_status and SAYS_TOO_LONG.search(str(getattr(exc, "message", ""))) is not None


def _look_up(exc: Exception) -> tuple[type[ThroughlineError], str]:
    named = (KNOWN[base.__name__] for base in type(exc).__mro__ if base.__name__ in KNOWN)
    found = next(named, (ModelUnavailableError, UNREACHABLE))
    refused_by_status = getattr(exc, "status_code", None) in CLIENT_ERRORS
    # A bare APIError, or an error nobody knows, still tells by its status whose fault it is.
    return (
        (RequestNotAcceptedError, BAD_REQUEST)
        if found[1] == UNREACHABLE and refused_by_status
        else found
    )
