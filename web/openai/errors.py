"""Errors in OpenAI's form: {"error": {"message", "type", "param", "code"}}."""

from __future__ import annotations

from http import HTTPStatus
from typing import NamedTuple

from flask import Request, Response, jsonify, request

from shared.errors import InvalidRequestError
from shared.models import Outcome
from web.errors import ErrorForm, Fault

PREFIX = "/v1/"
# Of a client whose base URL is cut short.
MISPLACED = frozenset({"/chat/completions", "/completions", "/embeddings", "/models", "/responses"})
ADVICE = "OpenAI's protocol is spoken under /v1: let the base URL of your client end with /v1."
RETRY_AFTER_S = 5  # where nobody has said how long


class OpenAIFault(NamedTuple):
    """How OpenAI calls a fault."""

    status: int
    type: str
    #: None: our own code stays.
    code: str | None = None


# By our codes. Any other code keeps its status, and has the type of its status.
FAULTS = {
    "not_signed_in": OpenAIFault(401, "invalid_request_error", "invalid_api_key"),
    "invalid_token": OpenAIFault(401, "invalid_request_error", "invalid_api_key"),
    "input_too_long": OpenAIFault(400, "invalid_request_error", "context_length_exceeded"),
    "input_refused": OpenAIFault(400, "invalid_request_error", "content_policy_violation"),
    "request_not_accepted": OpenAIFault(400, "invalid_request_error"),
    "model_rate_limited": OpenAIFault(429, "rate_limit_error", "rate_limit_exceeded"),
    "quota_used_up": OpenAIFault(429, "insufficient_quota", "insufficient_quota"),
    "too_many_at_once": OpenAIFault(429, "rate_limit_error", "rate_limit_exceeded"),
    "too_many_rounds": OpenAIFault(429, "rate_limit_error", "rate_limit_exceeded"),
}
TYPES = {403: "permission_error", 429: "rate_limit_error"}
SERVER_ERROR = 500


class BadParameterError(InvalidRequestError):
    """A field of the request cannot be used."""

    def __init__(self, param: str, message: str) -> None:
        super().__init__(message)
        self.param = param


class UnknownModelError(BadParameterError):
    """There is no such model."""

    code = "model_not_found"
    http_status = 404

    def __init__(self, model: str, known: tuple[str, ...]) -> None:
        names = ", ".join(known)
        super().__init__("model", f"The model '{model}' does not exist here. There is: {names}.")


def is_openai(request: Request) -> bool:
    return f"{request.path}/".startswith(PREFIX) or request.path in MISPLACED


def openai_error(status: int, code: str, message: str, param: str | None = None) -> Response:
    """`status` and `code` are ours; OpenAI's clients get theirs."""
    fault = _fault(status, code)
    response = jsonify(error=error_json(status, code, message, param))
    response.status_code = fault.status
    if fault.status in {429, 503}:
        response.headers["Retry-After"] = str(RETRY_AFTER_S)
    return response


def answer_bad_parameter(error: BadParameterError) -> Response:
    return openai_error(error.http_status, error.code, error.message, error.param)


def _respond(fault: Fault) -> Response:
    is_misplaced = fault.status == HTTPStatus.NOT_FOUND and request.path in MISPLACED
    return openai_error(fault.status, fault.code, ADVICE if is_misplaced else fault.message)


FORM = ErrorForm(is_for=is_openai, respond=_respond)


def error_json(status: int, code: str, message: str, param: str | None = None) -> dict[str, object]:
    fault = _fault(status, code)
    return {
        "message": message,
        "type": fault.type,
        "param": param,
        "code": fault.code or code,
    }


def outcome_error(outcome: Outcome, status_of: dict[str, int]) -> tuple[int, str, str]:
    """Our status, code and message for a reply that failed or broke off."""
    code = outcome.error_code or "internal"
    return status_of.get(code, SERVER_ERROR), code, outcome.error or ""


def _fault(status: int, code: str) -> OpenAIFault:
    by_status = "server_error" if status >= SERVER_ERROR else "invalid_request_error"
    return FAULTS.get(code, OpenAIFault(status, TYPES.get(status, by_status)))
