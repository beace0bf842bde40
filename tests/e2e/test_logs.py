"""What the real processes write with LOG_FORMAT=json: objects, all of one form.

Not looked at is what Celery prints by itself when it is told to stop.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.e2e.conftest import MakeSite
from tests.e2e.site import Site
from tests.waiting import wait_for

PROCESSES = ("web", "worker-llm")
SUMMARY_S = 60


@pytest.fixture
def busy(make_site: MakeSite) -> Site:
    """A site that has made a summary."""
    site = make_site(*PROCESSES, LOG_FORMAT="json", LOG_LEVEL="DEBUG")
    own = None
    for text in ("one", "two", "three"):
        own = site.chat(text, own)["conversation_id"]
    path = f"/api/conversations/{own}/memory"
    wait_for(lambda: site.get(path)["summary_end"] is not None, SUMMARY_S, site.log("worker-llm"))
    return site


def lines_of(site: Site, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in site.log_path(name).read_text().splitlines()]


def test_every_line_is_an_object_and_says_what_it_belongs_to(busy: Site) -> None:
    for name in PROCESSES:
        lines = lines_of(busy, name)
        assert lines
        assert all(line.keys() >= {"time", "level", "logger", "event"} for line in lines)
    assert any(line["event"].startswith("Booting worker") for line in lines_of(busy, "web"))
    [done] = [
        line
        for line in lines_of(busy, "worker-llm")
        if line["event"].startswith("Status updated: summary")
    ]
    assert done["task"] == "memory.summarize"
    assert done.keys() >= {"task_id", "kind", "job_id", "conversation_id"}
