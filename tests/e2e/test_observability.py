"""What the real processes show to those who watch them. One site is watched in all ways at once.

Prometheus reads sums over web processes, and the workers' ports. Health checks look at files. Logs
with LOG_FORMAT=json are objects of one form; not looked at is what Celery prints by itself when it
is told to stop. A collector gets the spans.
"""

from __future__ import annotations

import json
import os
import signal
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from shared.broker.tasks import EMBED, SWEEP
from shared.models.job_kinds import FACTS, SUMMARY
from tests.e2e.conftest import MakeSite, environment_of
from tests.e2e.site import NO_TLS, Site, free_port, running_site
from tests.fakes.collector import Collector, running_collector
from tests.services import Services
from tests.waiting import PATIENCE_S, wait_for

REDIS = 7  # a database of its own: the site stays for several tests
MARK = "Ultramarin"
ROUNDS = 8
SCRAPES = 10
# `web` and `worker-llm` send their spans at their end: not after a time, nor after a number.
AT_THE_END = {
    "OTEL_BSP_SCHEDULE_DELAY": "600000",
    "OTEL_BSP_MAX_QUEUE_SIZE": "100000",
    "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "100000",
}
WORKERS = ("worker-llm", "worker-embed", "beat")
SETTINGS = {
    "WEB_CONCURRENCY": "2",
    "WORKER_EMBED_PROCESSES": "2",
    "LOG_FORMAT": "json",
    "LOG_LEVEL": "DEBUG",
}
CLICK = ("throughline-web", "POST /chat")
IN_ITS_TRACE = {
    CLICK,
    ("throughline-web", "INSERT messages"),
    ("throughline-web", "round"),
    ("throughline-web", "step recall"),
    ("throughline-web", "model reply"),
    ("throughline-worker", FACTS.task),
    ("throughline-worker", "job facts"),
    ("throughline-worker", "model facts"),
    ("throughline-worker", "INSERT structured_facts"),
}
# What the sweep sends belongs to its own trace.
IN_A_SWEEP = {("throughline-worker", SWEEP), ("throughline-worker", EMBED)}
# Done by a process of a pool: vectors take the place of what waited for them.
IN_A_FORK = {("throughline-worker", EMBED), ("throughline-worker", "DELETE unembedded_messages")}


@dataclass(frozen=True)
class Observed:
    site: Site
    collector: Collector
    folder: Path
    ports: dict[str, int] = field(default_factory=lambda: {name: free_port() for name in WORKERS})

    def heartbeat(self, name: str) -> Path:
        return self.folder / f"{name}.heartbeat"

    def start(self, name: str) -> None:
        """Start a process with a port and a file of its own."""
        port = self.ports.get(name)
        self.site.environment["METRICS_ADDRESS"] = f"127.0.0.1:{port}" if port else ""
        self.site.environment["HEARTBEAT_PATH"] = str(self.heartbeat(name))
        self.site.start(name)

    def count_tasks(self, name: str, task: str) -> float:
        url = f"http://127.0.0.1:{self.ports[name]}"
        return find_value(read_samples(url), "throughline_task_seconds_count", task=task)

    def count_shared_folders(self) -> int:
        """Each command has one, in which the processes that it forks share what they count."""
        return len(list((self.folder / "metrics").iterdir()))

    def serving(self) -> list[int]:
        """The processes that gunicorn has started."""
        pid = self.site.running["web"].pid
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))

    def lines(self, name: str) -> list[dict[str, Any]]:
        """The whole ones: another may just be written."""
        whole, _, _ = self.site.log_path(name).read_text().rpartition("\n")
        return [json.loads(line) for line in whole.splitlines()]

    def traces(self) -> list[set[tuple[str, str]]]:
        """Service and name of the spans of each trace."""
        traces = defaultdict(set)
        for service, span in self.collector.spans():
            traces[span.trace_id].add((service, span.name))
        return list(traces.values())

    def wait_for_trace(self, spans: set[tuple[str, str]]) -> None:
        wait_for(
            lambda: any(trace >= spans for trace in self.traces()),
            explain=lambda: str(self.traces()),
        )


@pytest.fixture(scope="module")
def observed(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Observed]:
    """`web` and `worker-llm` send spans only at their end, the others every few seconds."""
    folder = tmp_path_factory.mktemp("observed")
    with services.databases.lend() as url, running_collector() as collector:
        endpoint = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"{collector.url}/"}
        services.empty_redis(REDIS)
        environment = environment_of(services, url, REDIS) | SETTINGS | endpoint
        with running_site(environment, folder) as site:
            watch = Observed(site, collector, folder)
            watch.start("worker-embed")
            watch.start("beat")
            site.environment |= AT_THE_END
            watch.start("worker-llm")
            watch.start("web")
            yield watch


def read_samples(url: str) -> list[Sample]:
    """Over a connection of its own."""
    families = text_string_to_metric_families(
        httpx.get(f"{url}/metrics", timeout=PATIENCE_S, verify=NO_TLS).text
    )
    return [sample for family in families for sample in family.samples]


def find_value(samples: list[Sample], name: str, **labels: str) -> float:
    """0 where there is none yet."""
    return sum(
        sample.value
        for sample in samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )


def test_every_line_is_an_object_and_says_what_it_belongs_to(observed: Observed) -> None:
    site, conversation_id = observed.site, None
    for text in ("one", "two", "three"):
        conversation_id = site.chat(text, conversation_id)["conversation_id"]
    path = f"/api/v1/conversations/{conversation_id}/summaries"
    wait_for(lambda: site.get(path)["summary_end"] is not None, explain=site.log("worker-llm"))
    for name in ("web", "worker-llm"):
        lines = observed.lines(name)
        assert lines
        assert all(line.keys() >= {"time", "level", "logger", "event"} for line in lines)
    events = [line["event"] for line in observed.lines("web")]
    assert any(event.startswith("Booting worker") for event in events)

    def summaries() -> list[dict[str, Any]]:
        """They are told after the commit that shows them."""
        lines = (line for line in observed.lines("worker-llm"))
        return [line for line in lines if line["event"].startswith("Status updated: summary")]

    [done] = wait_for(summaries, explain=site.log("worker-llm"))
    assert done["task"] == SUMMARY.task
    assert done.keys() >= {"task_id", "kind", "job_id", "conversation_id"}


def test_web_processes_are_counted_together_also_after_one_has_died(observed: Observed) -> None:
    site = observed.site

    def sums() -> set[tuple[float, float, float]]:
        return {
            (
                find_value(samples, "throughline_rounds_total", status="complete"),
                find_value(samples, "throughline_first_token_seconds_count"),
                find_value(samples, "throughline_live_rounds"),
            )
            for samples in (read_samples(site.url) for _ in range(SCRAPES))
        }

    [(rounds, first_tokens, live)] = sums()
    for _ in range(ROUNDS):
        site.chat("Hello")
    counts = {(rounds + ROUNDS, first_tokens + ROUNDS, live)}
    assert live == 0
    assert sums() == counts
    killed = observed.serving()[0]
    os.kill(killed, signal.SIGKILL)
    wait_for(lambda: killed not in observed.serving() and len(observed.serving()) == 2)
    wait_for(lambda: site.get("/readyz")["ready"])
    assert sums() == counts
    wait_for(lambda: observed.count_shared_folders() == len(site.running))


@pytest.mark.parametrize(("name", "task"), [("worker-llm", FACTS.task), ("worker-embed", EMBED)])
def test_a_worker_tells_what_its_tasks_have_counted(
    observed: Observed, name: str, task: str
) -> None:
    """Threads in the first, processes in the second; and beat has a port, too."""
    observed.site.chat("I live in Oslo.")
    wait_for(lambda: observed.count_tasks(name, task), explain=observed.site.log(name))
    wait_for(lambda: observed.count_tasks("beat", task) == 0)  # once it is there


@pytest.mark.parametrize("name", WORKERS)
def test_a_process_touches_its_file_as_long_as_it_works(observed: Observed, name: str) -> None:
    path = observed.heartbeat(name)
    wait_for(path.exists, explain=observed.site.log(name))
    path.unlink()
    wait_for(path.exists, explain=observed.site.log(name))


def test_processes_without_their_broker_touch_nothing(make_site: MakeSite, tmp_path: Path) -> None:
    heartbeat = tmp_path / "heartbeat"
    names = ("worker-llm", "beat")
    nowhere = {"BROKER_URL": "redis://127.0.0.1:9/0", "HEARTBEAT_PATH": str(heartbeat)}
    site = make_site(*names, SWEEP_EVERY_S="1", **nowhere)
    for name in names:  # after 2 s, and after 4 s more: a heartbeat would come every 2 s
        wait_for(lambda: site.log(name)().count("Trying again") >= 3, explain=site.log(name))  # noqa: B023
    assert [site.running[name].poll() for name in names] == [None, None]
    assert not heartbeat.exists()


def test_one_trace_leads_from_the_click_over_its_tasks_to_the_rows_and_has_no_text(
    observed: Observed,
) -> None:
    """The last test of the site, which it stops: what is not sent yet is sent at the end."""
    site, collector = observed.site, observed.collector
    conversation_id = site.chat(f"My cat is called {MARK}.")["conversation_id"]
    wait_for(lambda: MARK in str(site.get("/api/v1/facts")), explain=site.log("worker-llm"))
    observed.wait_for_trace(IN_A_FORK)
    for path in (f"/api/v1/search?q={MARK}", f"/{MARK}", f"/api/v1/conversations/{MARK}"):
        httpx.get(site.url + path, timeout=PATIENCE_S)
    httpx.post(f"{site.url}/chat", json={"message": MARK, "agent": MARK}, timeout=PATIENCE_S)
    assert all(CLICK not in trace for trace in observed.traces())
    for name in ("web", "worker-llm"):
        site.end(name)
    for spans in (IN_ITS_TRACE, IN_A_SWEEP):
        observed.wait_for_trace(spans)
    names = {name for trace in observed.traces() for _, name in trace}
    assert {"GET /api/v1/search", "GET"} <= names
    bodies = b"".join(collector.bodies)
    assert conversation_id.encode() in bodies
    assert MARK.lower().encode() not in bodies.lower()
    for name in ("web", *WORKERS):
        assert "traces.not_sent" not in site.log(name)()
    assert observed.count_shared_folders() == len(site.running)
