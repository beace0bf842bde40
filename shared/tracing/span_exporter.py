"""Sends spans to a collector. Needs `requirements/otel.txt`; imported only where tracing is on."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import (
    BatchSpanProcessor,
    SpanExporter,
    SpanExportResult,
)

from shared.tracing.recorder import Recorder

logger = logging.getLogger(__name__)


class LoggedExporter(SpanExporter):
    """Logs when a collector begins to refuse spans or to be away, and when it takes them again.

    Refused spans are lost. The SDK itself would log each batch.
    """

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter
        self._fails = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = self._exporter.export(spans)
        fails = result is not SpanExportResult.SUCCESS
        if fails and not self._fails:
            logger.warning("traces.not_sent", extra={"spans": len(spans)})
        elif self._fails and not fails:
            logger.info("traces.sent_again", extra={"spans": len(spans)})
        self._fails = fails
        return result

    def shutdown(self) -> None:
        self._exporter.shutdown()


def make_recorder(address: str, service: str) -> Recorder:
    """Spans are sent from a thread, every few seconds; each process forked later has its own.

    The SDK itself reads what else the OTEL_* variables say: headers, sampler, limits, time-outs.
    """
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
    resource = Resource.create({"service.name": service})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)  # it may take long
    exporter = LoggedExporter(OTLPSpanExporter(endpoint=address))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return Recorder(provider)
