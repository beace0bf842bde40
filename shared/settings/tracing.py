"""OpenTelemetry's own variables, as far as we read them. Its SDK reads the others."""

from __future__ import annotations

import importlib.util

from pydantic import field_validator

from shared.settings.types import Group, OutgoingUrl

NEEDED = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http")


class TracingSettings(Group):
    # OpenTelemetry; without an address nothing is traced
    otel_exporter_otlp_endpoint: OutgoingUrl = ""

    @field_validator("otel_exporter_otlp_endpoint")
    @classmethod
    def _check_collector(cls, value: str) -> str:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("use http://… or https://…: spans are sent by OTLP over HTTP")
        if value and not _is_installed():
            raise ValueError("OpenTelemetry is not installed. Install it: bin/install otel")
        return value

    @property
    def traces_address(self) -> str:
        """Where spans are sent; empty: nothing is traced."""
        base = self.otel_exporter_otlp_endpoint
        return f"{base.rstrip('/')}/v1/traces" if base else ""


def _is_installed() -> bool:
    try:
        return all(importlib.util.find_spec(name) for name in NEEDED)
    except ModuleNotFoundError:  # a folder around it is missing
        return False
