"""The operator's page, with all workers at work."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.e2e.page.axe import AXE, find_in_looks
from tests.e2e.page.chat_page import NOTHING, WORK_MS, ChatPage
from tests.e2e.page.conftest import OpenPage, Scheme
from tests.e2e.page.traffic import Traffic
from tests.e2e.site import Site
from tests.waiting import wait_for

NEXT_LOOK_MS = 10_000
HIDE = """(isHidden) => {
  Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


@pytest.fixture
def busy_site(memory_site: Site) -> Site:
    """One conversation, whose summary has gone on."""
    conversation_id = None
    for number in range(4):
        answer = memory_site.chat(f"Hello number {number}.", conversation_id)
        conversation_id = answer["conversation_id"]
    return memory_site


def open_operations(open_page: OpenPage, site: Site, width: int, scheme: Scheme) -> ChatPage:
    return open_page(site.url, path="/operations", width=width, scheme=scheme)


def open_with_clock(open_page: OpenPage, site: Site) -> ChatPage:
    operations = open_page(site.url, path=NOTHING)
    operations.install_clock()
    operations.open("/operations")
    expect(operations.page.get_by_role("status")).to_contain_text("As of")
    return operations


def section(operations: ChatPage, name: str) -> Locator:
    return operations.page.get_by_role("region", name=name, exact=True).first


def test_an_operator_sees_jobs_workers_queues_and_versions_as_they_come_and_the_audit_log(
    open_page: OpenPage, busy_site: Site
) -> None:
    for number in range(30):
        fact = {"category": "identity", "key": f"thing_{number}", "value": "Lisbon"}
        busy_site.post("/api/v1/facts", fact)
    operations = open_operations(open_page, busy_site, 1280, "light")
    expect(section(operations, "Workers").get_by_role("row")).to_have_count(3, timeout=WORK_MS)
    expect(section(operations, "Queues")).to_contain_text("embeddings")
    expect(section(operations, "Queues")).to_contain_text(
        re.compile(r"Messages that are found by their words only so far.*: \d")
    )
    backup = section(operations, "In one look").get_by_role("row", name="Last backup")
    expect(backup).to_contain_text("never")
    expect(section(operations, "Stuck jobs")).to_contain_text("Older than 300 s")
    versions = section(operations, "Rolling summaries")
    expect(versions).to_contain_text("0–7", timeout=WORK_MS)
    expect(versions.get_by_role("img")).to_be_visible()
    summaries = section(operations, "Jobs").get_by_role("row", name="Summary")
    expect(summaries).to_be_visible()
    expect(section(operations, "Running times").get_by_role("img")).to_have_count(2)
    done = summaries.get_by_role("cell").nth(2)
    before = int(done.inner_text())
    busy_site.chat("Hello again.", conversation_of(operations))
    expect(done).not_to_have_text(str(before), timeout=WORK_MS)
    assert "Hello" not in operations.page.locator("body").inner_text()

    # In pages, and by user.
    log = section(operations, "Audit log")
    expect(log.get_by_role("row", name="Fact added").first).to_be_visible()
    expect(log.get_by_role("row")).to_have_count(26)
    log.get_by_role("button", name="Show older").click()
    expect(log.get_by_role("row").nth(27)).to_be_visible()
    log.get_by_label("User", exact=True).fill("nobody-here")
    log.get_by_role("button", name="Show", exact=True).click()
    expect(log).to_contain_text("Nothing was noted.")
    assert "Lisbon" not in log.inner_text()


def conversation_of(operations: ChatPage) -> str:
    text = section(operations, "Rolling summaries").get_by_text("Shown: ").inner_text()
    return text.removeprefix("Shown: ")


def test_it_asks_again_by_itself_but_not_unseen_and_says_when_the_server_cannot_be_asked(
    open_page: OpenPage, busy_site: Site
) -> None:
    operations = open_with_clock(open_page, busy_site)
    traffic = Traffic(operations.page)
    with operations.page.expect_response("**/api/v1/operations"):
        operations.page.clock.fast_forward(NEXT_LOOK_MS)
    operations.page.evaluate(HIDE, True)
    wait_for(lambda: traffic.is_over(NEXT_LOOK_MS))
    assert all(traffic.is_over(NEXT_LOOK_MS) for _ in range(3))
    with operations.page.expect_response("**/api/v1/operations"):
        operations.page.evaluate(HIDE, False)

    state = operations.page.get_by_role("status")
    operations.page.route("**/api/v1/operations", abort)
    operations.page.clock.fast_forward(NEXT_LOOK_MS)
    expect(state).to_contain_text("The server cannot be asked")
    operations.page.unroute("**/api/v1/operations")
    operations.page.clock.fast_forward(NEXT_LOOK_MS)
    expect(state).to_contain_text("As of")
    operations.expect_problem("ERR_FAILED")


def test_an_operator_runs_the_checks_and_copies_them_and_axe_finds_nothing_serious(
    open_page: OpenPage, busy_site: Site
) -> None:
    operations = open_operations(open_page, busy_site, 1280, "dark")
    operations.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    checks = section(operations, "Checks")
    checks.get_by_role("button", name="Check now").click()
    expect(checks.get_by_role("row", name="Postgres answers")).to_be_visible(timeout=WORK_MS)
    expect(checks.get_by_role("row", name="only the command")).to_contain_text("port")
    checks.get_by_role("button", name="Copy for a bug report").click()
    expect(checks).to_contain_text("Copied")
    copied = json.loads(operations.page.evaluate("navigator.clipboard.readText()"))
    assert {"checks", "healthy", "settings"} == copied.keys()
    alerts = section(operations, "Alerts").get_by_role("row", name="DatabaseDown")
    expect(alerts).to_contain_text("in order")
    expect(alerts).to_contain_text("throughline_database_up")

    # It fits any screen.
    expect(section(operations, "Rolling summaries").get_by_role("img")).to_be_visible(
        timeout=WORK_MS
    )
    expect(section(operations, "Queues")).to_contain_text("summaries")
    expect(checks.get_by_role("row", name="only the command")).to_be_visible()
    checks.get_by_text("Settings, and where").click()
    if AXE.exists():
        findings = find_in_looks(operations)
        assert not any(findings.values()), json.dumps(findings, indent=1)


def test_it_shows_rounds_users_and_ratings_and_a_chat_and_the_palette_lead_there(
    open_page: OpenPage, busy_site: Site
) -> None:
    [chat] = busy_site.get("/api/v1/conversations")["conversations"]
    address = f"/api/v1/conversations/{chat['conversation_id']}/messages"
    busy_site.patch(f"{address}/1", {"rating": "up"})
    busy_site.patch(f"{address}/3", {"rating": "down"})
    page = open_page(busy_site.url)
    page.button("Settings").click()
    page.page.get_by_role("dialog", name="Settings").locator("#operations-link").click()
    expect(page.page.get_by_role("heading", name="Operations", level=1)).to_be_visible()
    rated = section(page, "Ratings of replies").get_by_role("row", name="offline/extractive")
    expect(rated.get_by_role("cell")).to_have_text(["1", "1"])
    rounds = section(page, "Rounds")
    expect(rounds.get_by_role("row", name="Replies being written")).to_contain_text("0")
    used = section(page, "Users").get_by_role("row", name="local").get_by_role("cell")
    expect(used.first).to_have_text(re.compile(r"^[1-9]\d*$"))  # of today, with what was erased
    expect(page.page.get_by_role("link", name="Flower")).to_have_attribute("href", "/flower/")

    page.page.go_back()
    expect(page.page.locator("#model")).not_to_be_empty()  # the page's keys work by then
    page.page.keyboard.press("Control+k")
    page.page.get_by_label("Search everything said").fill("operations")
    page.page.get_by_role("option", name="Operations").click()
    expect(page.page.get_by_role("heading", name="Operations", level=1)).to_be_visible()


def abort(route: Route) -> None:
    route.abort()
