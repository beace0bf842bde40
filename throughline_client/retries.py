"""When a call is sent again, and how long it waits before."""

from __future__ import annotations

import random
from typing import Any

import httpx
import tenacity

from throughline_client.calls import Call
from throughline_client.errors import ApiError, ReplyFailedError

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
REFUSED = 429  # before anything was done
#: Something went wrong on the way. It may have been done.
UNCERTAIN = frozenset({500, 502, 503, 504})
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


def retry_options(call: Call[Any], attempts: int) -> dict[str, Any]:
    """For `tenacity.Retrying` and `tenacity.AsyncRetrying`."""

    def wait_s(state: tenacity.RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        return wait_before(error, state.attempt_number)

    return {
        "stop": tenacity.stop_after_attempt(attempts),
        "retry": tenacity.retry_if_exception(lambda error: is_worth_another(call, error)),
        "wait": wait_s,
        "reraise": True,
    }


def is_worth_another(call: Call[Any], error: BaseException) -> bool:
    """Whether sending `call` again is safe, and may help."""
    if isinstance(error, ReplyFailedError):  # the same key gets the same failure
        return False
    if isinstance(error, ApiError):
        if (error.retry_after_s or 0) > LONGEST_WAIT_S:
            return False
        return error.status == REFUSED or (call.may_repeat and error.status in UNCERTAIN)
    if isinstance(error, NOT_SENT):
        return True
    return isinstance(error, httpx.TransportError) and call.may_repeat


def wait_before(error: BaseException | None, attempts: int) -> float:
    """Seconds: as the site asks; else twice as many after each attempt, with jitter."""
    if isinstance(error, ApiError) and error.retry_after_s is not None:
        return error.retry_after_s
    longest = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (attempts - 1))
    return random.uniform(longest / 2, longest)  # noqa: S311 - not for secrets
