"""Several web processes behind one address."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx

from tests.e2e.conftest import environment_of
from tests.e2e.server.conftest import REDIS, SETTINGS
from tests.e2e.server.test_crowds import LONG, followers, read_all, started
from tests.e2e.site import Site, running_site
from tests.fakes.openai_server import FAKE_MODEL, FakeOpenAI
from tests.services import Services

FOLLOWERS = 24


def test_a_reply_is_followed_to_its_end_in_whichever_process(
    services: Services, database_url: str, model: FakeOpenAI, tmp_path: Path
) -> None:
    own = SETTINGS | {
        "LLM_MODEL": FAKE_MODEL,
        "LLM_API_BASE": model.base_url,
        "LLM_API_KEY": "k",
        "WEB_CONCURRENCY": "2",
    }
    environment = environment_of(services, database_url, REDIS + 1) | own
    with running_site(environment, tmp_path, "web") as site, ExitStack() as stack:
        model.script(LONG)
        meta = stack.enter_context(started(site, "ann"))
        crowd = followers(stack, site, meta, "ann", FOLLOWERS)
        texts = [read_all(client) for client in crowd]
        assert all(b"event: done" in text for text in texts)
        assert all(text.count(b"word") >= 2 * 40 for text in texts)
        assert len(serving(site.running["web"].pid)) == 2


def test_an_event_reaches_the_followers_in_every_process(
    services: Services, database_url: str, tmp_path: Path
) -> None:
    environment = environment_of(services, database_url, REDIS + 1) | SETTINGS
    own = {"WEB_CONCURRENCY": "2"}
    with running_site(environment | own, tmp_path, "web") as site, ExitStack() as stack:
        crowd = [stack.enter_context(following(site, "ann")) for _ in range(FOLLOWERS)]
        of_bob = stack.enter_context(following(site, "bob"))
        assert all(next(lines) == "event: ready" for lines in [*crowd, of_bob])
        for who in ("ann", "bob"):
            httpx.post(
                f"{site.url}/api/facts",
                json={"category": "identity", "key": "shoe_size", "value": f"of {who}"},
                headers={"X-Forwarded-User": who},
                timeout=60,
            ).raise_for_status()
        for lines in crowd:
            assert next(lines) == "event: fact.learned"
            assert "of ann" in next(lines)
        assert next(of_bob) == "event: fact.learned"
        assert "of bob" in next(of_bob)


@contextmanager
def following(site: Site, who: str) -> Iterator[Iterator[str]]:
    """The lines of a stream of events, without ids, and without the data of `ready`."""
    with httpx.stream(
        "GET", f"{site.url}/api/events", headers={"X-Forwarded-User": who}, timeout=30
    ) as answer:
        yield (
            line
            for line in answer.iter_lines()
            if line.startswith(("event:", "data:")) and line != "data: {}"
        )


def serving(pid: int) -> list[str]:
    """The processes that gunicorn has started."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
