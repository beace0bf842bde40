"""Errors before Flask is reached: problem details, with the member `error` of the older form."""

from __future__ import annotations

import json
from collections.abc import Iterable
from http import HTTPStatus

from shared.errors import NoRoomError
from web.api.problems import PROBLEM_TYPE, problem_type
from web.errors import TITLE_OF_CODE
from web.requests.guards import HEADERS

# By status: code and message.
SENTENCES = {
    400: ("bad_request", "This is not a whole request in HTTP."),
    408: ("request_timeout", "The request took too long to arrive."),
    414: ("uri_too_long", "The address is too long."),
    417: ("expectation_failed", "Only 100-continue can be expected here."),
    431: ("headers_too_large", "The headers are too large, or too many."),
    500: ("internal", "Something went wrong. It has been logged."),
    501: ("not_implemented", "The body comes in an encoding that is not known here."),
    503: ("busy", "Too many connections are open right now. Please try again in a few seconds."),
}
NO_ROOM = (NoRoomError.code, NoRoomError().message)
RETRY_AFTER = {503: "3"}


def refusal(
    status: int, sentence: tuple[str, str] | None = None
) -> tuple[list[tuple[str, str]], bytes]:
    """Headers and body. The address may be unknown, so the answer is the same for every door.

    `sentence`: code and message, if they are other than those of the status.
    """
    known = sentence or SENTENCES.get(status)
    code, message = known or ("bad_request", HTTPStatus(status).phrase)
    problem = {
        "type": problem_type(code),
        "title": TITLE_OF_CODE[code],
        "status": status,
        "detail": message,
        "code": code,
        "error": {"code": code, "message": message},
    }
    body = json.dumps(problem).encode() + b"\n"
    headers = [
        ("Content-Type", PROBLEM_TYPE),
        ("Content-Length", str(len(body))),
        ("Connection", "close"),
        *HEADERS.items(),
    ]
    if status in RETRY_AFTER:
        headers.append(("Retry-After", RETRY_AFTER[status]))
    return headers, body


def raw_refusal(status: int, more: Iterable[tuple[str, str]] = ()) -> bytes:
    """The whole response as bytes."""
    headers, body = refusal(status)
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
    lines += [f"{name}: {value}" for name, value in (*headers, *more)]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
