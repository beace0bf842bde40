"""A span for each request, where tracing is on. It ends when the answer begins to be sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask, request

from shared.logs import bound_fields, current_fields
from shared.tracing import Span, entry_span

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

SPAN = "throughline.span"  # its place in a request's environ
# Asked every few seconds, or for every page; nobody waits for memory there.
UNTRACED = ("/healthz", "/readyz", "/metrics", "/assets/")
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def trace_requests(app: Flask) -> None:
    app.wsgi_app = RequestSpans(app.wsgi_app)  # type: ignore[method-assign]
    app.before_request(_name_span)


class RequestSpans:
    """WSGI around the application. It continues the trace of a proxy's `traceparent`."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["PATH_INFO"].startswith(UNTRACED):
            return self._app(environ, start_response)
        method = environ["REQUEST_METHOD"] if environ["REQUEST_METHOD"] in METHODS else "_OTHER"
        with (
            entry_span("request", method, _headers_of(environ)) as span,
            bound_fields(**span.log_fields),
        ):
            span.note("http.request.method", method)
            span.note("throughline.request_id", str(current_fields().get("request_id", "")))
            environ[SPAN] = span

            def start(
                status: str, headers: list[tuple[str, str]], *error: Any
            ) -> Callable[..., Any]:
                _note_status(span, int(status.split(" ", 1)[0]))
                return start_response(status, headers, *error)

            return self._app(environ, start)


def _headers_of(environ: WSGIEnvironment) -> dict[str, str]:
    names = {"traceparent": "HTTP_TRACEPARENT", "tracestate": "HTTP_TRACESTATE"}
    return {name: environ[variable] for name, variable in names.items() if variable in environ}


def _note_status(span: Span, status: int) -> None:
    span.note("http.response.status_code", status)
    if status >= 500:
        span.fail(str(status))


def _name_span() -> None:
    """By the address's pattern, never by the address: what stands in it may be anything."""
    span: Span | None = request.environ.get(SPAN)
    if span is None or request.url_rule is None:
        return
    span.rename(f"{request.method} {request.url_rule.rule}")
    span.note("http.route", request.url_rule.rule)
    if conversation_id := current_fields().get("conversation_id"):
        span.note("throughline.conversation_id", str(conversation_id))
