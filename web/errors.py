"""Errors as HTTP answers: a status, and a JSON body with code and message."""

from __future__ import annotations

import inspect
import logging
import math

from flask import Flask, Response, jsonify
from werkzeug.exceptions import HTTPException

from shared import errors
from shared.errors import (
    MissingScopeError,
    NotSignedInError,
    ThroughlineError,
    TransientError,
)

logger = logging.getLogger(__name__)

HTTP_CODES = {
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "invalid_request",
    417: "expectation_failed",
}

STATUS_OF_CODE = {
    error.code: error.http_status
    for _, error in inspect.getmembers(errors, inspect.isclass)
    if issubclass(error, ThroughlineError)
}


def register_errors(app: Flask) -> None:
    app.register_error_handler(ThroughlineError, _answer_known_error)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _answer_unexpected_error)


def error_response(status: int, code: str, message: str, **more: object) -> Response:
    response = jsonify(error={"code": code, "message": message}, **more)
    response.status_code = status
    return response


def _answer_known_error(error: ThroughlineError) -> Response:
    response = error_response(error.http_status, error.code, error.message)
    if isinstance(error, TransientError) and error.retry_after_s is not None:
        response.headers["Retry-After"] = str(math.ceil(error.retry_after_s))
    if isinstance(error, NotSignedInError):
        response.headers["WWW-Authenticate"] = error.challenge
    elif isinstance(error, MissingScopeError):
        wanted = f'scope="{" ".join(error.scopes)}"'
        response.headers["WWW-Authenticate"] = f'Bearer error="insufficient_scope", {wanted}'
    return response


def _http(error: HTTPException) -> Response:
    if error.response is not None:
        return error.response  # type: ignore[return-value]
    status = error.code or 500
    return error_response(status, HTTP_CODES.get(status, "bad_request"), error.description or "")


def _answer_unexpected_error(error: Exception) -> Response:
    logger.error("request.crashed", exc_info=error)
    return error_response(500, "internal", "Something went wrong. It has been logged.")
