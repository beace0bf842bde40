"""Errors as HTTP answers, in the form of the API, of OpenAI or of a page, by the address."""

from __future__ import annotations

import errno
import inspect
import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from flask import Flask, Request, Response, current_app, jsonify, request
from werkzeug.exceptions import HTTPException

from shared import errors
from shared.errors import (
    DatabaseUnavailableError,
    FieldError,
    InvalidRequestError,
    MissingScopeError,
    NoRoomError,
    NotSignedInError,
    ThroughlineError,
    TransientError,
)

logger = logging.getLogger(__name__)

#: Codes of statuses that werkzeug or the server gives.
HTTP_CODES = {
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_type",
    417: "expectation_failed",
}
TITLES_OF_HTTP = {
    "bad_request": "The request cannot be carried out.",
    "method_not_allowed": "This address does not know that method.",
    "too_large": "The body is too large.",
    "unsupported_type": "The body is of a type that is not read here.",
    "request_timeout": "The request took too long to arrive.",
    "uri_too_long": "The address is too long.",
    "expectation_failed": "Only 100-continue can be expected here.",
    "headers_too_large": "The headers are too large, or too many.",
    "not_implemented": "The body comes in an encoding that is not known here.",
}
#: A full disk, a quota of the file system, one that became read-only.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
UNEXPECTED = "Something went wrong. It has been logged."


def list_errors() -> Iterator[type[ThroughlineError]]:
    """All classes of errors. A class comes before those that are derived from it."""
    waiting: list[type[ThroughlineError]] = [ThroughlineError]
    while waiting:
        error = waiting.pop(0)
        waiting += [subclass for subclass in error.__subclasses__() if _is_ours(subclass)]
        yield error


def _is_ours(error: type[ThroughlineError]) -> bool:
    """The doors have errors of their own, which are in no document."""
    return error.__module__.startswith(errors.__name__)


STATUS_OF_CODE = {error.code: error.http_status for error in list_errors()}


def _titles() -> dict[str, str]:
    titles = dict(TITLES_OF_HTTP)
    for error in list_errors():
        titles.setdefault(error.code, inspect.cleandoc(error.__doc__ or "").split("\n\n")[0])
    return titles


#: One sentence for each code. It is the same whatever happened in particular.
TITLE_OF_CODE = _titles()


@dataclass(frozen=True, kw_only=True)
class Fault:
    """An error as it is answered."""

    status: int
    code: str
    message: str
    #: What is wrong with single fields of the request.
    fields: tuple[FieldError, ...] = ()
    #: Members of the answer besides.
    more: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ErrorForm:
    """The form of the errors of one part of the site, and which requests are answered in it."""

    is_for: Callable[[Request], bool]
    respond: Callable[[Fault], Response]


def register_errors(app: Flask, forms: Sequence[ErrorForm]) -> None:
    """Answer errors in the first of the forms that is meant for the request, else in JSON."""
    app.extensions["error_forms"] = forms
    app.register_error_handler(ThroughlineError, _answer_known_error)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _answer_unexpected_error)


def error_response(status: int, code: str, message: str, **more: object) -> Response:
    return _respond(Fault(status=status, code=code, message=message, more=more))


def _respond(fault: Fault) -> Response:
    forms: Sequence[ErrorForm] = current_app.extensions["error_forms"]
    for form in forms:
        if form.is_for(request):
            return form.respond(fault)
    response = jsonify(error={"code": fault.code, "message": fault.message}, **fault.more)
    response.status_code = fault.status
    return response


def _answer_known_error(error: ThroughlineError) -> Response:
    if isinstance(error, DatabaseUnavailableError):
        logger.warning("request.no_database", extra={"error": type(error.__cause__).__name__})
    fields = tuple(error.errors) if isinstance(error, InvalidRequestError) else ()
    response = _respond(
        Fault(status=error.http_status, code=error.code, message=error.message, fields=fields)
    )
    if isinstance(error, TransientError) and error.retry_after_s is not None:
        response.headers["Retry-After"] = str(math.ceil(error.retry_after_s))
    if isinstance(error, NotSignedInError):
        response.headers["WWW-Authenticate"] = error.challenge
    elif isinstance(error, MissingScopeError):
        scopes = f'scope="{" ".join(error.scopes)}"'
        response.headers["WWW-Authenticate"] = f'Bearer error="insufficient_scope", {scopes}'
    return response


def _http(error: HTTPException) -> Response:
    if error.response is not None:
        return error.response  # type: ignore[return-value]
    status = error.code or 500
    code = HTTP_CODES.get(status, "bad_request")
    response = error_response(status, code, error.description or "")
    for name, value in error.get_headers(request.environ):
        if name.lower() != "content-type":
            response.headers[name] = value  # Allow of a 405
    return response


def _answer_unexpected_error(error: Exception) -> Response:
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        logger.error("request.no_room", extra={"error": error.strerror})
        return _answer_known_error(NoRoomError())
    logger.error("request.crashed", exc_info=error)
    return error_response(500, "internal", UNEXPECTED)
