"""A collector of OpenTelemetry: takes spans by OTLP over HTTP, and keeps them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span


class Collector:
    def __init__(self, url: str) -> None:
        self.url = url
        #: What came, as it was sent.
        self.bodies: list[bytes] = []

    def spans(self) -> list[tuple[str, Span]]:
        """(service, span)."""
        pairs = []
        for body in list(self.bodies):
            for process in ExportTraceServiceRequest.FromString(body).resource_spans:
                [service] = (
                    attribute.value.string_value
                    for attribute in process.resource.attributes
                    if attribute.key == "service.name"
                )
                pairs += [(service, span) for part in process.scope_spans for span in part.spans]
        return pairs


@contextmanager
def running_collector() -> Iterator[Collector]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            collector.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector = Collector(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
