"""Several web processes behind one address."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from tests.e2e.conftest import environment_of
from tests.e2e.server.conftest import REDIS, SETTINGS
from tests.e2e.server.test_crowds import LONG, followers, read_all, started
from tests.e2e.site import running_site
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


def serving(pid: int) -> list[str]:
    """The processes that gunicorn has started."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
