"""OpenTelemetry's own variables, as far as we read them. Its SDK reads the others."""

from __future__ import annotations

import importlib.util

from pydantic import ValidationInfo, field_validator

from shared.settings.types import Group, OutgoingUrl

NEEDED = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http")


class TracingSettings(Group):
    # OpenTelemetry; without an address nothing is traced
    otel_sdk_disabled: bool = False
    otel_exporter_otlp_endpoint: OutgoingUrl = ""
    otel_exporter_otlp_traces_endpoint: OutgoingUrl = ""  # the whole address, with its path
    otel_service_name: str = ""  # empty: throughline-web, throughline-worker

    @field_validator("otel_exporter_otlp_endpoint", "otel_exporter_otlp_traces_endpoint")
    @classmethod
    def _check_collector(cls, value: str, info: ValidationInfo) -> str:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("use http://… or https://…: spans are sent by OTLP over HTTP")
        if value and not info.data.get("otel_sdk_disabled") and not _is_installed():
            raise ValueError("OpenTelemetry is not installed. Install it: bin/install otel")
        return value

    @property
    def traces_address(self) -> str:
        """Where spans are sent; empty: nothing is traced."""
        if self.otel_sdk_disabled:
            return ""
        base = self.otel_exporter_otlp_endpoint
        return self.otel_exporter_otlp_traces_endpoint or (
            f"{base.rstrip('/')}/v1/traces" if base else ""
        )


def _is_installed() -> bool:
    try:
        return all(importlib.util.find_spec(name) for name in NEEDED)
    except ModuleNotFoundError:  # a folder around it is missing
        return False
