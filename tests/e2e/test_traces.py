"""Spans of the real processes, as a collector gets them."""

from __future__ import annotations

import signal
from collections import defaultdict
from collections.abc import Iterator

import httpx
import pytest

from shared.broker import EMBED, EXTRACT_FACTS, SWEEP
from tests.e2e.conftest import MakeSite
from tests.fakes.collector import Collector, running_collector
from tests.waiting import wait_for

SENT_S = 60
MARK = "Zinnober"
CLICK = "POST /chat"
PROCESSES = ("web", "worker-llm", "worker-embed", "beat")
IN_ITS_TRACE = {
    ("throughline-web", CLICK),
    ("throughline-web", "INSERT messages"),
    ("throughline-web", "round"),
    ("throughline-web", "step recall"),
    ("throughline-web", "model reply"),
    ("throughline-worker", EXTRACT_FACTS),
    ("throughline-worker", "job facts"),
    ("throughline-worker", "model facts"),
    ("throughline-worker", "INSERT structured_facts"),
}
# What the sweep sends belongs to its own trace.
IN_A_SWEEP = {("throughline-worker", SWEEP), ("throughline-worker", EMBED)}
# Done by a process of a pool: vectors take the place of what waited for them.
IN_A_FORK = {("throughline-worker", EMBED), ("throughline-worker", "DELETE unembedded_messages")}


@pytest.fixture
def collector() -> Iterator[Collector]:
    with running_collector() as running:
        yield running


def name_traces(collector: Collector) -> dict[bytes, set[tuple[str, str]]]:
    """Service and name of the spans, by their trace."""
    traces = defaultdict(set)
    for service, span in collector.spans():
        traces[span.trace_id].add((service, span.name))
    return traces


def test_one_trace_leads_from_the_click_over_its_tasks_to_the_rows_and_has_no_text(
    make_site: MakeSite, collector: Collector
) -> None:
    site = make_site(*PROCESSES, OTEL_EXPORTER_OTLP_ENDPOINT=f"{collector.url}/")
    told = site.chat(f"My cat is called {MARK}.")
    for wanted in (IN_ITS_TRACE, IN_A_SWEEP, IN_A_FORK):
        wait_for(
            lambda: any(trace >= wanted for trace in name_traces(collector).values()),  # noqa: B023
            SENT_S,
            lambda: str(name_traces(collector)),
        )
    for path in (f"/api/v1/search?q={MARK}", f"/{MARK}", f"/api/v1/conversations/{MARK}"):
        httpx.get(site.url + path, timeout=30)
    httpx.post(f"{site.url}/chat", json={"message": MARK, "agent": MARK}, timeout=30)
    site.kill("web", signal.SIGTERM)  # it sends what is left
    names = {name for trace in name_traces(collector).values() for _, name in trace}
    assert {"GET /api/v1/search", "GET"} <= names
    assert told["conversation_id"].encode() in b"".join(collector.bodies)
    assert MARK.lower().encode() not in b"".join(collector.bodies).lower()
    for name in PROCESSES:
        assert "traces.not_sent" not in site.log(name)()


def test_what_is_not_sent_yet_is_sent_at_the_end(make_site: MakeSite, collector: Collector) -> None:
    names = ("web", "worker-llm")
    site = make_site(
        *names, OTEL_EXPORTER_OTLP_ENDPOINT=collector.url, OTEL_BSP_SCHEDULE_DELAY="600000"
    )
    site.chat(f"My cat is called {MARK}.")
    wait_for(lambda: MARK in str(site.get("/api/v1/facts")), SENT_S)
    assert collector.bodies == []
    for name in names:
        site.kill(name, signal.SIGTERM)
    assert any(trace >= IN_ITS_TRACE for trace in name_traces(collector).values())
