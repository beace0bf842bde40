"""Records spans. Imported only where tracing is on."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import SpanKind
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from shared.tracing.span import NO_SPAN, Attribute, Entry, Span
from shared.tracing.statement_names import read_statement

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

P = ParamSpec("P")
T = TypeVar("T")

STOP_S = 2
KINDS: dict[Entry, SpanKind] = {"request": SpanKind.SERVER, "task": SpanKind.CONSUMER}

# W3C's `traceparent` and `tracestate`. Baggage, which may hold anything, is neither taken nor sent.
_headers = TraceContextTextMapPropagator()


class Recorder:
    def __init__(self, provider: TracerProvider) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("throughline")
        self._stopped = threading.Event()
        self._last = self._start_last()

    def stop(self) -> None:
        """Send what is left, if the collector takes it within `STOP_S`."""
        if not self._last.is_alive():  # this process was forked from the one that started it
            self._last = self._start_last()
        self._stopped.set()
        self._last.join(STOP_S)

    def _start_last(self) -> threading.Thread:
        """The thread that sends the last spans. While Python exits, none can be started."""

        def send_last() -> None:
            self._stopped.wait()
            self._provider.shutdown()

        thread = threading.Thread(target=send_last, name="last-spans", daemon=True)
        thread.start()
        return thread

    @contextmanager
    def entry(self, entry: Entry, name: str, headers: Mapping[str, str]) -> Iterator[Span]:
        context = _headers.extract(headers, Context())
        with _current(self._tracer.start_span(name, context, KINDS[entry])) as span:
            yield span

    @contextmanager
    def part(self, name: str, attributes: Mapping[str, Attribute]) -> Iterator[Span]:
        if not _is_within_trace():
            yield NO_SPAN
            return
        with _current(self._tracer.start_span(name, attributes=attributes)) as span:
            yield span

    def begin(self, name: str, attributes: Mapping[str, Attribute]) -> Span:
        if not _is_within_trace():
            return NO_SPAN
        return Span(self._tracer.start_span(name, kind=SpanKind.CLIENT, attributes=attributes))

    @contextmanager
    def statement(self, sql: Any, cursor: Any) -> Iterator[Span]:
        if not _is_within_trace():
            yield NO_SPAN
            return
        statement = read_statement(
            sql if isinstance(sql, str) else sql.as_string(cursor.connection)
        )
        attributes = {
            "db.system.name": "postgresql",
            "db.operation.name": statement.command,
            "db.query.text": statement.text,
        }
        if statement.table:
            attributes["db.collection.name"] = statement.table
        otel_span = self._tracer.start_span(
            statement.name, kind=SpanKind.CLIENT, attributes=attributes
        )
        with _current(otel_span) as span:
            yield span
            span.note("throughline.rows", cursor.rowcount)

    def keep(self, call: Callable[P, T]) -> Callable[P, T]:
        parent = trace.get_current_span()

        @functools.wraps(call)
        def call_within(*args: P.args, **kwargs: P.kwargs) -> T:
            with trace.use_span(parent, record_exception=False, set_status_on_exception=False):
                return call(*args, **kwargs)

        return call_within

    def headers(self) -> dict[str, str] | None:
        headers: dict[str, str] = {}
        _headers.inject(headers)
        return headers or None


def _is_within_trace() -> bool:
    return trace.get_current_span().get_span_context().is_valid


@contextmanager
def _current(otel_span: trace.Span) -> Iterator[Span]:
    """Make it the present span, and end it. Of an error the type is noted, never its message."""
    span = Span(otel_span)
    try:
        with trace.use_span(otel_span, record_exception=False, set_status_on_exception=False):
            yield span
    except BaseException as exc:
        span.fail(type(exc).__name__)
        raise
    finally:
        span.end()
