"""What a server that is asked directly says instead of an answer.

The errors have the attributes that `provider_errors` reads from those of litellm.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import httpx

MAX_BYTES = 64 * 1024  # of an error's body; the rest is not read
UNKNOWN_STATUS = 500  # of an error in the middle of a stream that names none

# To names in `provider_errors.KNOWN`. Other statuses from 400 to 499 are a bad request, all else
# is a fault of the server.
NAMES = {
    401: "AuthenticationError",
    402: "PaymentRequiredError",
    403: "PermissionDeniedError",
    404: "NotFoundError",
    408: "Timeout",
    413: "ContextWindowExceededError",
    422: "UnprocessableEntityError",
    429: "RateLimitError",
    504: "Timeout",
}
WITHHELD_CODES = frozenset({"content_policy_violation", "content_filter"})
CLIENT_ERRORS = range(400, 500)
CODE_FIELDS = ("code", "status", "status_code")


class ServerError(Exception):
    """The server refused the request, or failed."""

    def __init__(
        self, status_code: int, error: object, message: str, response: httpx.Response | None = None
    ) -> None:
        super().__init__(status_code)  # no word of the server's gets into a log
        self.status_code = status_code
        self.body: Mapping[str, Any] = error if isinstance(error, dict) else {}
        self.message = message
        self.response = response

    @property
    def known_as(self) -> str:
        codes = (self.body.get("code"), self.body.get("type"))
        is_withheld = any(isinstance(code, str) and code in WITHHELD_CODES for code in codes)
        if is_withheld and self.status_code in CLIENT_ERRORS:
            return "ContentPolicyViolationError"
        default_name = "BadRequestError" if self.status_code in CLIENT_ERRORS else "APIError"
        return NAMES.get(self.status_code, default_name)


class UnreadableAnswerError(Exception):
    """The answer, or an event of it, is no JSON object."""

    known_as = "APIConnectionError"  # as a broken connection: another try may do better

    def __init__(self, message: str = "") -> None:
        super().__init__()  # no word of the server's gets into a log
        self.message = message


def error_of(response: httpx.Response) -> ServerError:
    """The error of a response whose status is not 200."""
    text = _read_start(response).decode(errors="replace")
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    body = next(iter(body), None) if isinstance(body, list) else body
    error = body.get("error", body) if isinstance(body, dict) else None
    return ServerError(response.status_code, error, text, response)


def means_success(error: object) -> bool:
    """Whether it is called an error, or looks like one, and says that all is well."""
    fields = error if isinstance(error, dict) else {}
    codes = {str(each.get(name)) for each in (fields, *fields.values()) if isinstance(each, dict)
             for name in CODE_FIELDS}  # fmt: skip
    return bool(codes & {"0", "200"}) and not codes - {"0", "200", "None"}


def error_in_stream(error: object) -> ServerError:
    """The error that came after the head had said 200."""
    fields = error if isinstance(error, dict) else {}
    codes = (str(fields.get(name)) for name in CODE_FIELDS)
    statuses = (int(code) for code in codes if re.fullmatch(r"[45]\d\d", code))
    return ServerError(next(statuses, UNKNOWN_STATUS), error, json.dumps({"error": error}))


def _read_start(response: httpx.Response) -> bytes:
    start = b""
    for piece in response.iter_bytes():
        start += piece
        if len(start) >= MAX_BYTES:
            break
    return start[:MAX_BYTES]
