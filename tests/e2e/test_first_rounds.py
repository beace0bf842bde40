"""The main path on real processes."""

from __future__ import annotations

import os

import pytest

from tests.e2e.site import Site
from tests.waiting import wait_for
from workers.app import WORKER_NICE


def test_three_rounds_are_answered_and_summarised(site: Site) -> None:
    first = site.chat("Hello, my name is Alexander.")
    conversation_id = first["conversation_id"]
    site.chat("I live in Berlin.", conversation_id)
    site.chat("What is my name?", conversation_id)
    memory = f"/api/v1/conversations/{conversation_id}/summaries"
    wait_for(lambda: site.get(memory)["summary_end"] == 5, 60, site.log("worker-llm"))
    row = site.get(memory)["rows"][0]
    assert (row["start_sequence"], row["end_sequence"], row["base_memory_id"]) == (0, 5, None)
    assert "Alexander" in row["memory_text"]


@pytest.mark.skipif(os.name != "posix", reason="priorities are POSIX's")
def test_workers_give_way_to_web(site: Site) -> None:
    web = os.getpriority(os.PRIO_PROCESS, site.running["web"].pid)
    lower = min(19, web + WORKER_NICE)
    assert lower > web
    worker = site.running["worker-llm"].pid
    wait_for(lambda: os.getpriority(os.PRIO_PROCESS, worker) == lower)  # once it has begun
