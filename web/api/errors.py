"""The failures that the document declares for an operation, and the form of a problem."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from werkzeug.routing import Rule

from shared.errors import (
    BusyError,
    DatabaseUnavailableError,
    ForbiddenError,
    InvalidRequestError,
    NoRoomError,
    NotFoundError,
    NotSignedInError,
    ThroughlineError,
    TooManyAtOnceError,
)
from web.api.operation import Operation
from web.api.problems import PROBLEM_TYPE, problem_type
from web.errors import TITLE_OF_CODE, UNEXPECTED

Json = dict[str, Any]
#: Any operation may answer with these.
ALWAYS: tuple[type[ThroughlineError], ...] = (
    InvalidRequestError,
    NotSignedInError,
    ForbiddenError,
    TooManyAtOnceError,
    ThroughlineError,
    BusyError,
    DatabaseUnavailableError,
    NoRoomError,
)
REF = "#/components/responses/{name}"
#: What the server refuses before it knows the address.
OF_HEADS = {414: "uri_too_long", 431: "headers_too_large"}
#: Fields that name a thing of the user's.
REFERENCES = frozenset({"conversation_id", "persona_id", "project"})
OF_BODIES = {413: "too_large", 415: "unsupported_type"}


def list_failures(rule: Rule, operation: Operation) -> Json:
    """References to the responses of `describe_failures`, by status."""
    codes = _codes_by_status(rule, operation)
    return {str(status): {"$ref": REF.format(name=_name(codes[status]))} for status in codes}


def describe_failures(operations: Iterable[tuple[Rule, Operation]]) -> Json:
    """What operations fail with, each once, by the names that `list_failures` refers to."""
    responses = {
        _name(codes): _response(status, codes)
        for rule, operation in operations
        for status, codes in _codes_by_status(rule, operation).items()
    }
    return dict(sorted(responses.items()))


def _codes_by_status(rule: Rule, operation: Operation) -> dict[int, list[str]]:
    raised: list[type[ThroughlineError]] = [*ALWAYS, *operation.raises]
    if _may_miss(rule, operation):
        raised.append(NotFoundError)
    codes: dict[int, list[str]] = {}
    for error in raised:
        known = codes.setdefault(error.http_status, [])
        if error.code not in known:
            known.append(error.code)
    of_http = OF_HEADS | (OF_BODIES if operation.has_body else {})
    for status, code in of_http.items():
        codes.setdefault(status, []).append(code)
    return dict(sorted(codes.items()))


def _name(codes: list[str]) -> str:
    return "-".join(codes)


def problem_schemas() -> Json:
    text: Json = {"type": "string"}
    field = {
        "type": "object",
        "description": "What is wrong with one part of the request.",
        "required": ["detail"],
        "properties": {"detail": text, "pointer": text, "parameter": text},
        "additionalProperties": False,
    }
    problem = {
        "type": "object",
        "description": "Problem details (RFC 9457). Programs may rely on `code`.",
        "required": ["type", "title", "status", "detail", "code"],
        "properties": {
            "type": {"type": "string", "format": "uri-reference"},
            "title": text,
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "detail": text,
            "instance": {"type": "string", "format": "uri-reference"},
            "code": {"type": "string", "enum": sorted(TITLE_OF_CODE)},
            "errors": {"type": "array", "items": {"$ref": "#/components/schemas/FieldProblem"}},
        },
    }
    return {"Problem": problem, "FieldProblem": field}


def _may_miss(rule: Rule, operation: Operation) -> bool:
    """Whether it is about something that may not be there."""
    form = operation.form.model_fields if operation.form else {}
    return bool(rule.arguments or REFERENCES & {*form, *operation.query.model_fields})


def _response(status: int, codes: list[str]) -> Json:
    code = codes[0]
    example = {
        "type": problem_type(code),
        "title": TITLE_OF_CODE[code],
        "status": status,
        "detail": UNEXPECTED if code == "internal" else TITLE_OF_CODE[code],
        "instance": "/api/v1/facts",
        "code": code,
    }
    headers: Json = {}
    if status not in OF_HEADS:
        headers["X-Request-Id"] = {"$ref": "#/components/headers/RequestId"}
    if status in {429, 503}:
        headers["Retry-After"] = {"$ref": "#/components/headers/RetryAfter"}
    schema = {"$ref": "#/components/schemas/Problem"}
    return {
        "description": "; ".join(
            f"`{problem_code}`: {TITLE_OF_CODE[problem_code]}" for problem_code in codes
        ),
        "headers": headers,
        "content": {PROBLEM_TYPE: {"schema": schema, "example": example}},
    }
