"""A span, whether it is recorded or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from opentelemetry.trace import Span as OpenSpan

Attribute = str | int | float | bool
#: Where a trace enters this process.
Entry = Literal["request", "task"]


class Span:
    def __init__(self, recorded: OpenSpan | None) -> None:
        self._recorded = recorded

    @property
    def log_fields(self) -> dict[str, str]:
        """The trace's id in the collector, as a field of log lines. Empty: it is not recorded."""
        if self._recorded is None or not self._recorded.is_recording():
            return {}
        return {"trace_id": f"{self._recorded.get_span_context().trace_id:032x}"}

    def rename(self, name: str) -> None:
        if self._recorded is not None:
            self._recorded.update_name(name)

    def note(self, name: str, value: Attribute) -> None:
        if self._recorded is not None:
            self._recorded.set_attribute(name, value)

    def fail(self, kind: str) -> None:
        """Mark the span as failed. `kind` is the error's type or code, never its message."""
        if self._recorded is not None:
            from opentelemetry.trace import StatusCode

            self._recorded.set_attribute("error.type", kind)
            self._recorded.set_status(StatusCode.ERROR)

    def end(self) -> None:
        if self._recorded is not None:
            self._recorded.end()


NO_SPAN = Span(None)
