"""A collector that is away costs lines in the log, and no time at the end."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import (
    BatchSpanProcessor,
    SpanExporter,
    SpanExportResult,
)

from shared.tracing import entry_span, start_recording, stop_tracing
from shared.tracing.recorder import STOP_S, Recorder
from shared.tracing.span_exporter import LoggedExporter


class Scripted(SpanExporter):
    def __init__(self, *takes: bool) -> None:
        self._takes = iter(takes)

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return SpanExportResult.SUCCESS if next(self._takes) else SpanExportResult.FAILURE


class Hanging(SpanExporter):
    def __init__(self) -> None:
        self.let_go = threading.Event()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.let_go.wait()
        return SpanExportResult.SUCCESS


def test_only_the_first_refusal_and_its_end_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    exporter = LoggedExporter(Scripted(True, False, False, True, True))
    with caplog.at_level(logging.INFO):
        for _ in range(5):
            exporter.export(())
    assert [record.getMessage() for record in caplog.records] == [
        "traces.not_sent",
        "traces.sent_again",
    ]


def test_the_end_waits_for_a_collector_that_hangs_no_longer_than_it_may() -> None:
    hanging, provider = Hanging(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(hanging))
    start_recording(Recorder(provider))
    with entry_span("request", "POST", {}):
        pass
    began = time.monotonic()
    stop_tracing()
    assert STOP_S - 0.5 < time.monotonic() - began < STOP_S + 3
    hanging.let_go.set()
