"""Problem details (RFC 9457), the form of the API's errors."""

from __future__ import annotations

from dataclasses import asdict
from urllib.parse import quote

from flask import Response, json, request

from shared.errors import FieldError
from web.errors import TITLE_OF_CODE, ErrorForm, Fault
from web.requests.routing import PREFIX, is_api

PROBLEM_TYPE = "application/problem+json"


def problem_type(code: str) -> str:
    """The address of the list of problems, at this one."""
    return f"{PREFIX}/problems#{code}"


def _respond(fault: Fault) -> Response:
    problem = {
        "type": problem_type(fault.code),
        "title": TITLE_OF_CODE.get(fault.code, fault.code),
        "status": fault.status,
        "detail": fault.message,
        "instance": quote(request.path),
        "code": fault.code,
    }
    if fault.fields:
        problem["errors"] = [_field_json(field) for field in fault.fields]
    body = json.dumps({**problem, **fault.more})
    return Response(body, fault.status, content_type=PROBLEM_TYPE)


def _field_json(field: FieldError) -> dict[str, str]:
    return {name: text for name, text in asdict(field).items() if text}


FORM = ErrorForm(is_for=is_api, respond=_respond)
