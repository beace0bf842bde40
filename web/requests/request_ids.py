"""Each request has an id: in its log lines, in the audit log and in its answer's `X-Request-Id`."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from flask import request
from werkzeug.routing import UUIDConverter

from shared.access.audit import acting
from shared.logs import add_fields, bound_fields
from shared.models import Actor

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HEADER = "X-Request-Id"
# The forms that proxies and tracers use (32 hexadecimal digits, or a UUID). No word has this form.
_WELL_FORMED = re.compile(r"[0-9A-Fa-f-]{16,64}")

_CONVERSATION_ID = re.compile(UUIDConverter.regex)


class RequestIds:
    """WSGI around the application: takes the proxy's id where it is well-formed, or makes one.

    What one request sets for its log lines and its rows in the audit log ends with the request.
    """

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        header_value = environ.get("HTTP_X_REQUEST_ID", "")
        request_id = header_value if _WELL_FORMED.fullmatch(header_value) else uuid.uuid4().hex

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Callable[..., Any]:
            return start_response(status, [*headers, (HEADER, request_id)], *error)

        with bound_fields(request_id=request_id), acting(Actor(request_id=request_id)):
            return self._app(environ, start)


def log_conversation() -> None:
    """Add the path's conversation to the log lines. A value that is not an id is left out."""
    conversation_id = str((request.view_args or {}).get("conversation_id"))
    if _CONVERSATION_ID.fullmatch(conversation_id):
        add_fields(conversation_id=conversation_id)
