"""Several web processes behind one address."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx

from tests.e2e.server.conftest import FOLLOWERS
from tests.e2e.server.test_crowds import followers, hold, read_all, started
from tests.e2e.site import NO_TLS, Site
from tests.fakes.openai_server import FakeOpenAI
from tests.waiting import PATIENCE_S

CROWD = FOLLOWERS - 1  # beside the client that begins


def test_a_reply_is_followed_to_its_end_in_whichever_process(pair: Site, model: FakeOpenAI) -> None:
    goes_on = hold(model)
    with ExitStack() as stack:
        meta = stack.enter_context(started(pair, "liz"))
        crowd = followers(stack, pair, meta, "liz", CROWD)
        goes_on.set()
        texts = [read_all(client) for client in crowd]
    assert all(b"event: done" in text for text in texts)
    assert all(text.count(b"word") >= 2 * 40 for text in texts)
    assert len(serving(pair.running["web"].pid)) == 2


def test_an_event_reaches_the_followers_in_every_process(pair: Site) -> None:
    with ExitStack() as stack:
        crowd = [stack.enter_context(following(pair, "max")) for _ in range(CROWD)]
        of_bob = stack.enter_context(following(pair, "bob"))
        assert all(next(lines) == "event: ready" for lines in [*crowd, of_bob])
        for who in ("max", "bob"):
            httpx.post(
                f"{pair.url}/api/v1/facts",
                json={"category": "identity", "key": "shoe_size", "value": f"of {who}"},
                headers={"X-Forwarded-User": who},
                timeout=60,
            ).raise_for_status()
        for lines in crowd:
            assert next(lines) == "event: fact.learned"
            assert "of max" in next(lines)
        assert next(of_bob) == "event: fact.learned"
        assert "of bob" in next(of_bob)


@contextmanager
def following(site: Site, who: str) -> Iterator[Iterator[str]]:
    """The lines of a stream of events, without ids, and without the data of `ready`."""
    with httpx.stream(
        "GET",
        f"{site.url}/api/v1/events",
        headers={"X-Forwarded-User": who},
        timeout=PATIENCE_S,
        verify=NO_TLS,
    ) as answer:
        yield (
            line
            for line in answer.iter_lines()
            if line.startswith(("event:", "data:")) and line != "data: {}"
        )


def serving(pid: int) -> list[str]:
    """The processes that gunicorn has started."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
