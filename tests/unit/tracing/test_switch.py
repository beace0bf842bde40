"""Tracing is off unless OTEL_* asks for it; then it needs OpenTelemetry's SDK."""

from __future__ import annotations

import subprocess
import sys

import pytest

from shared.settings import SettingsError, read_settings
from shared.tracing import NO_SPAN, begin_span, entry_span, keep_span, span, trace_headers

COLLECTOR = "http://collector:4318"
USES = """
from shared import tracing
with tracing.entry_span("task", "x", {}), tracing.span("y", {}), tracing.statement_span("z", None):
    tracing.begin_span("model reply", {}).end()
    tracing.trace_headers()
tracing.start_tracing("", "throughline-web")
tracing.keep_span(tracing.stop_tracing)()
"""
# The clients of Redis and of the Model Context Protocol look for OpenTelemetry by themselves. They
# record nothing, since there is no global provider.
RECORDS = {"shared.tracing.recorder", "opentelemetry.sdk.trace", "opentelemetry.exporter"}


def modules_after(code: str) -> set[str]:
    code = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_off_nothing_of_opentelemetry_is_imported() -> None:
    imported = modules_after(USES)
    assert "shared.tracing" in imported
    assert not {name for name in imported if name.startswith("opentelemetry")}


@pytest.mark.parametrize(
    "begins", ["from workers.app import app; app.loader.import_default_modules()", "import web.app"]
)
def test_a_process_that_traces_nothing_imports_nothing_that_records(begins: str) -> None:
    assert not modules_after(begins + USES) & RECORDS


def test_off_every_call_gives_back_what_it_was_given() -> None:
    with entry_span("request", "x", {}) as entered, span("y", {}) as part:
        assert entered is part is begin_span("z", {}) is NO_SPAN
    assert keep_span(print) is print
    assert trace_headers() is None
    assert NO_SPAN.log_fields == {}


@pytest.mark.parametrize(
    ("settings", "address"),
    [
        ({}, ""),
        ({"otel_exporter_otlp_endpoint": COLLECTOR}, f"{COLLECTOR}/v1/traces"),
        ({"otel_exporter_otlp_endpoint": f"{COLLECTOR}/"}, f"{COLLECTOR}/v1/traces"),
    ],
)
def test_where_spans_are_sent(settings: dict[str, object], address: str) -> None:
    assert read_settings(**settings).traces_address == address


@pytest.mark.parametrize("missing", ["opentelemetry.sdk", "opentelemetry.exporter"])
def test_a_start_without_the_sdk_says_how_to_install_it(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith(missing)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(
        SettingsError, match=r"OTEL_EXPORTER_OTLP_ENDPOINT: .* bin/install otel"
    ) as error:
        read_settings(otel_exporter_otlp_endpoint=COLLECTOR)
    assert "\n" not in str(error.value)


def test_a_collector_that_speaks_only_grpc_is_refused_by_name() -> None:
    with pytest.raises(SettingsError, match="OTEL_EXPORTER_OTLP_ENDPOINT"):
        read_settings(otel_exporter_otlp_endpoint="collector:4317")
