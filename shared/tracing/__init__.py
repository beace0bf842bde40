"""Spans of OpenTelemetry: one trace from a request, through its round, to its tasks and statements.

Off, which is the default, none of these functions imports OpenTelemetry. Libraries that use it
themselves stay silent: the provider is our own and never the global one.

Attributes of spans are ids, counts and names that stand in the source or the settings: never what
people or models wrote, no arguments of SQL, no addresses, no messages of errors.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from shared.tracing.span import NO_SPAN, Attribute, Entry, Span

if TYPE_CHECKING:
    from shared.tracing.recorder import Recorder

__all__ = [
    "NO_SPAN",
    "Span",
    "begin_span",
    "entry_span",
    "keep_span",
    "span",
    "start_recording",
    "start_tracing",
    "statement_span",
    "stop_tracing",
    "trace_headers",
]

P = ParamSpec("P")
T = TypeVar("T")

_OFF: AbstractContextManager[Span] = nullcontext(NO_SPAN)
_recorder: Recorder | None = None


def start_tracing(address: str, service: str) -> None:
    """Send the spans of this process to a collector; without an address, do nothing."""
    if address:
        from shared.tracing.span_exporter import make_recorder

        start_recording(make_recorder(address, service))
        atexit.register(stop_tracing)


def start_recording(recorder: Recorder) -> None:
    """Record the spans of this process from now on."""
    global _recorder  # noqa: PLW0603 - one a process, as its logging
    _recorder = recorder


def stop_tracing() -> None:
    """Send what is recorded, and record no more."""
    global _recorder
    recorder, _recorder = _recorder, None
    if recorder is not None:
        recorder.stop()


def entry_span(entry: Entry, name: str, headers: Mapping[str, str]) -> AbstractContextManager[Span]:
    """Begin the span of a request or a task. It continues the trace that its `headers` name."""
    return _OFF if _recorder is None else _recorder.entry(entry, name, headers)


def span(name: str, attributes: Mapping[str, Attribute]) -> AbstractContextManager[Span]:
    """Begin the span of a part of a request or a task. Other work has no span."""
    return _OFF if _recorder is None else _recorder.part(name, attributes)


def begin_span(name: str, attributes: Mapping[str, Attribute]) -> Span:
    """Begin a span for a generator: it contains no other spans. Its user calls `end`."""
    return NO_SPAN if _recorder is None else _recorder.begin(name, attributes)


def statement_span(sql: Any, cursor: Any) -> AbstractContextManager[Span]:
    """Begin the span of a statement: its text without arguments, and later its number of rows."""
    return _OFF if _recorder is None else _recorder.statement(sql, cursor)


def keep_span(call: Callable[P, T]) -> Callable[P, T]:
    """Wrap `call`, which a new thread will run, so that its spans are parts of the present one."""
    return call if _recorder is None else _recorder.keep(call)


def trace_headers() -> dict[str, str] | None:
    """The headers of a task that is sent now, by which `entry_span` continues this trace."""
    return None if _recorder is None else _recorder.headers()
