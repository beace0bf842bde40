"""Rounds whose model says nothing, begun and stopped: no thread and no call stays behind."""

from __future__ import annotations

import threading

import pytest

from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser, read_events
from tests.waiting import PATIENCE_S, wait_for

MANY = 12  # as one user may have
SILENT = Scripted(delay_s=120)
# Threads that a process has once.
KEPT = ("leases", "waiting-rounds", "litellm-logging", "followers-slots", "silence")


def begin(wired: Browser) -> str:
    """A round that goes on though its client has left. Returns its place."""
    events = read_events(wired.chat(stream=True))
    meta = next(events)[1]
    events.close()  # type: ignore[attr-defined]
    return f"/chat/{meta['conversation_id']}/{meta['sequence']}"


@pytest.mark.parametrize("silence", [SILENT, Scripted(silent_s=120)])
def test_stopped_rounds_leave_nothing(
    wired: Browser, openai_server: FakeOpenAI, silence: Scripted
) -> None:
    before = set(threading.enumerate())
    openai_server.script(*[silence] * MANY)
    places = [begin(wired) for _ in range(MANY)]
    wait_for(lambda: len(openai_server.requests) == MANY)
    for place in places:
        assert wired.client.post(f"{place}/stop", json={}).status_code == 202
    wait_for(lambda: len(openai_server.hang_ups) == MANY)
    wait_for(lambda: leftover(before) == set(), PATIENCE_S, lambda: str(leftover(before)))
    statuses = [wired.messages(place.split("/")[2])[1]["status"] for place in places]
    assert statuses == ["partial"] * MANY


def leftover(before: set[threading.Thread]) -> set[str]:
    new = {thread.name for thread in threading.enumerate() if thread not in before}
    # The scripted server's threads end when they next look up; they are not the site's.
    return {name for name in new if not name.startswith(KEPT) and "process_request" not in name}
