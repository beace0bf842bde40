"""Spans that stay in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from shared.tracing import start_recording, stop_tracing
from shared.tracing.recorder import Recorder


class Spans:
    def __init__(self, exporter: InMemorySpanExporter) -> None:
        self._exporter = exporter

    def all(self) -> tuple[ReadableSpan, ...]:
        return self._exporter.get_finished_spans()

    def find(self, name: str) -> ReadableSpan:
        [match] = (span for span in self.all() if span.name == name)
        return match

    def text(self) -> str:
        """Everything that a collector would be sent."""
        return "".join(span.to_json() for span in self.all())


def trace_of(span: ReadableSpan) -> int:
    assert span.context is not None
    return span.context.trace_id


@contextmanager
def recorded_spans() -> Iterator[Spans]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    start_recording(Recorder(provider))
    try:
        yield Spans(exporter)
    finally:
        stop_tracing()
