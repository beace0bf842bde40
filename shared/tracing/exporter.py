"""Sends spans to a collector. Needs `requirements/otel.txt`; imported only where tracing is on."""

from __future__ import annotations

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from shared.tracing.recorder import Recorder


def make_recorder(address: str, service: str) -> Recorder:
    """Spans are sent from a thread, every few seconds; each process forked later has its own.

    The SDK itself reads what else the OTEL_* variables say: headers, sampler, limits, time-outs.
    """
    provider = TracerProvider(resource=Resource.create({"service.name": service}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=address)))
    return Recorder(provider)
