"""What Prometheus reads of the real processes: sums over web processes, and the workers' ports."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from shared.broker.tasks import SWEEP
from tests.e2e.conftest import MakeSite
from tests.e2e.site import free_port
from tests.waiting import PATIENCE_S, wait_for

ROUNDS = 8
SCRAPES = 10


def scrape(url: str, name: str, **labels: str) -> float:
    """The value of one sample, over a connection of its own; 0 where there is none yet."""
    families = text_string_to_metric_families(httpx.get(f"{url}/metrics", timeout=PATIENCE_S).text)
    return sum(
        sample.value
        for family in families
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    )


def serving(pid: int) -> list[int]:
    """The processes that gunicorn has started."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_web_processes_are_counted_together_also_after_one_has_died(
    make_site: MakeSite, tmp_path: Path
) -> None:
    site = make_site("web", WEB_CONCURRENCY="2")
    for _ in range(ROUNDS):
        site.chat("Hello")

    def sums() -> set[tuple[float, float, float]]:
        return {
            (
                scrape(site.url, "throughline_rounds_total", status="complete"),
                scrape(site.url, "throughline_first_token_seconds_count"),
                scrape(site.url, "throughline_live_rounds"),
            )
            for _ in range(SCRAPES)
        }

    counted = {(float(ROUNDS), float(ROUNDS), 0.0)}
    assert sums() == counted
    gunicorn = site.running["web"].pid
    killed = serving(gunicorn)[0]
    os.kill(killed, signal.SIGKILL)
    wait_for(lambda: killed not in serving(gunicorn) and len(serving(gunicorn)) == 2)
    wait_for(lambda: site.get("/readyz")["ready"])
    assert sums() == counted
    assert len(list((tmp_path / "metrics").iterdir())) == 1
    site.kill("web", signal.SIGTERM)
    assert list((tmp_path / "metrics").iterdir()) == []


@pytest.mark.parametrize("name", ["worker-llm", "worker-embed"])
def test_a_worker_tells_what_its_tasks_have_counted(make_site: MakeSite, name: str) -> None:
    """Threads in the first, processes in the second; and beat has a port, too."""
    site = make_site(WORKER_EMBED_PROCESSES="2")
    ports = {name: free_port(), "beat": free_port()}
    for each, port in ports.items():
        site.environment["METRICS_PORT"] = str(port)
        site.start(each)

    def swept_by(name: str) -> float:
        url = f"http://127.0.0.1:{ports[name]}"
        return scrape(url, "throughline_task_seconds_count", task=SWEEP)

    wait_for(lambda: swept_by(name), explain=site.log(name))
    assert swept_by("beat") == 0
