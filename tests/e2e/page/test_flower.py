"""Flower behind the site's own sign-in, in a browser."""

from __future__ import annotations

import base64
import hashlib
import re
import signal

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import MakeSite
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.tabs import make_profile
from tests.e2e.site import Site
from tests.waiting import wait_for
from web.views.flower import SCRIPT

USER, PASSWORD = KNOWN = ("me", "flowers")


@pytest.fixture
def site(make_site: MakeSite) -> Site:
    variables = {"FLOWER_BASIC_AUTH": f"{USER}:{PASSWORD}"}
    return make_site("web", "worker-llm", "beat", "flower", **variables)


def ask(site: Site, path: str = "", **options: object) -> httpx.Response:
    return httpx.get(f"{site.url}/flower/{path}", timeout=60, **options)  # type: ignore[arg-type]


def is_shown(site: Site, conversation_id: str) -> bool:
    """Flower has seen the end of a job of this conversation."""
    answer = ask(site, "api/tasks", auth=KNOWN)
    tasks = answer.json().values() if answer.status_code == 200 else []
    ended = [task["args"] or "" for task in tasks if task["state"] == "SUCCESS"]
    return any(f"of conversation {conversation_id}" in args for args in ended)


def scripts_of(page: httpx.Response) -> list[str]:
    """The digests of the scripts that stand in the page itself."""
    scripts = re.findall(r"<script[^>]*>([^<]+)</script>", page.text)
    digests = [hashlib.sha256(script.encode()).digest() for script in scripts]
    return [f"sha256-{base64.b64encode(digest).decode()}" for digest in digests]


def test_operators_see_which_jobs_ran_and_flower_keeps_them(site: Site, browser: Browser) -> None:
    wait_for(lambda: ask(site, auth=KNOWN).status_code == 200, explain=site.log("flower"))
    worker = site.log("worker-llm")
    wait_for(lambda: "Events of group {task} enabled" in worker(), explain=worker)
    conversation_id = site.chat("I live in Oslo.")["conversation_id"]
    wait_for(lambda: is_shown(site, conversation_id), explain=site.log("flower"))
    tasks = ask(site, "api/tasks", auth=KNOWN).json().values()
    assert "maintenance.sweep" not in {task["name"] for task in tasks}
    check_that_others_are_sent_away(site)
    check_scripts(site)
    site.kill("flower", signal.SIGTERM)
    assert ask(site, auth=KNOWN).status_code == 503
    site.start("flower")
    wait_for(lambda: is_shown(site, conversation_id), explain=site.log("flower"))
    look_at_tasks(site, browser)


def check_that_others_are_sent_away(site: Site) -> None:
    assert ask(site).status_code == 401
    assert ask(site, auth=(USER, "guessed")).status_code == 401
    assert httpx.post(f"{site.url}/flower/api/task/revoke/1", timeout=60).status_code == 401


def check_scripts(site: Site) -> None:
    for path in ("", "workers", "tasks", "broker"):
        page = ask(site, path, auth=KNOWN)
        assert SCRIPT in page.headers["Content-Security-Policy"]
        assert set(scripts_of(page)) <= {SCRIPT}


def look_at_tasks(site: Site, browser: Browser) -> None:
    known = {"username": USER, "password": PASSWORD}
    with make_profile(browser, http_credentials=known) as context:
        chat = ChatPage(context.new_page(), site.url)
        chat.open("/operations")
        chat.page.get_by_role("link", name="Flower").click()
        chat.page.get_by_role("link", name="Tasks").click()
        row = chat.page.get_by_role("row").filter(has_text="facts.extract").first
        expect(row).to_be_visible()
        assert chat.problems == []
