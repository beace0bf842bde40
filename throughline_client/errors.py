"""What a call may raise."""

from __future__ import annotations

from typing import Any, NoReturn

import httpx


class ThroughlineError(Exception):
    """The base of all errors of this client."""


class ConnectionFailedError(ThroughlineError):
    """The site was not reached, or went away, as often as it was tried."""


class ApiError(ThroughlineError):
    """The site answered with an error. Programs may rely on `status` and `code`."""

    def __init__(
        self, status: int, code: str, detail: str, *, retry_after_s: float | None = None
    ) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.retry_after_s = retry_after_s


class ReplyFailedError(ApiError):
    """The message is kept, and its reply failed; `partial_reply` is what was written of it.

    `status` is 200 where the reply failed while it was streamed.
    """

    partial_reply = ""
    conversation_id = ""
    sequence = -1


def raise_for_status(response: httpx.Response) -> None:
    """Raises `ApiError` for an answer that is no success. Its body has been read."""
    if response.is_success:
        return
    problem = _read_problem(response)
    kind = ReplyFailedError if "sequence" in problem else ApiError
    error = kind(
        response.status_code,
        str(problem.get("code", "http_error")),
        str(problem.get("detail", response.reason_phrase)),
        retry_after_s=_read_seconds(response.headers.get("Retry-After")),
    )
    if isinstance(error, ReplyFailedError):
        error.partial_reply = str(problem.get("reply", ""))
        error.conversation_id = str(problem.get("conversation_id", ""))
        error.sequence = int(problem["sequence"])
    raise error


def raise_failure(error: ApiError | httpx.TransportError) -> NoReturn:
    """Raises the client's own error for one of its HTTP library."""
    if isinstance(error, ApiError):
        raise error
    raise ConnectionFailedError(str(error)) from error


def _read_problem(response: httpx.Response) -> dict[str, Any]:
    """A proxy in between may answer with anything."""
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _read_seconds(text: str | None) -> float | None:
    return float(text) if text and text.isascii() and text.isdecimal() else None
