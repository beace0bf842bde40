"""Accounts in a real browser, on the real processes."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import psycopg2
import pyotp
import pytest
from playwright.sync_api import Browser, Page, expect

from shared.services import Services as Product
from shared.settings import read_settings
from tests.databases import empty
from tests.e2e.conftest import environment_of
from tests.e2e.page.axe import AXE, RULES_OF_LOOKS, SCHEMES, list_violations
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.tabs import make_profile
from tests.e2e.site import Site, running_site
from tests.services import Services, owner_url
from tests.waiting import wait_for
from web.accounts.links import make_setup_link

PASSWORD = "walks on the moon"  # noqa: S105
DRAFT = "Only Olga may read this."
LIST_KEPT = """async () => ({
    ...localStorage,
    ...sessionStorage,
    ...Object.fromEntries((await indexedDB.databases()).map(({ name }) => [name, 'a database'])),
    ...Object.fromEntries((await Promise.all((await caches.keys()).map(async (name) =>
        (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat()
        .filter((path) => path !== '/offline' && !path.startsWith('/assets/'))
        .map((path) => [path, 'a cached answer'])),
})"""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
WIDTHS = (360, 768, 1280, 1920)
REDIS = 5  # of this site alone


@pytest.fixture(scope="module")
def site_with_accounts(
    services: Services, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    with services.databases.lend() as url:
        environment = environment_of(services, url, REDIS) | {"AUTH_MODE": "password"}
        with running_site(environment, tmp_path_factory.mktemp("accounts"), "web") as running:
            log = running.log("web")
            wait_for(lambda: "accounts.none_yet make_the_first=" in log(), explain=log)
            yield running


@pytest.fixture
def site(site_with_accounts: Site, services: Services) -> Site:
    """Nobody has an account there yet."""
    services.empty_redis(REDIS)
    url = owner_url(site_with_accounts.environment["DATABASE_URL"])
    with closing(psycopg2.connect(url)) as connection, connection, connection.cursor() as cursor:
        empty(cursor)
    return site_with_accounts


@pytest.fixture
def page(browser: Browser, site: Site) -> Iterator[Page]:
    """Closed before the site is."""
    assert site.running
    context = make_profile(browser)
    problems: list[str] = []
    page = context.new_page()
    page.on(
        "console",
        lambda message: problems.append(message.text) if message.type == "error" else None,
    )
    yield page
    context.close()
    assert [problem for problem in problems if "status of 40" not in problem] == []


def find_setup_link(site: Site) -> str:
    """The address at which the first account is made, as the command makes another one."""
    values = {name.lower(): value for name, value in site.environment.items()}
    with closing(Product(read_settings(**values))) as product:
        link = make_setup_link(product)
    assert link
    return link


def sign_up(page: Page, site: Site) -> None:
    sign_up_as("Olga", page, find_setup_link(site))


def sign_up_as(name: str, page: Page, link: str) -> None:
    page.goto(link)
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("New password, once more").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your message", exact=True)).to_be_visible()


def sign_out(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/account")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_label("Password", exact=True)).to_be_visible()


def sign_in(page: Page, name: str = "olga") -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")


def begin_draft(page: Page, site: Site) -> Page:
    """Leaves a draft for a chat and one for a new chat, and returns a second tab that shows it."""
    box = page.get_by_label("Your message", exact=True)
    expect(page.get_by_text("Model: The built-in helper")).to_be_visible()  # the scripts have run
    ChatPage(page).ask("To be deleted.")
    expect(page).to_have_url(re.compile("/c/"))
    box.fill(DRAFT)
    page.evaluate("localStorage['throughline.draft.new'] = 'From before accounts were apart.'")
    page.goto(site.url)
    expect(box).to_have_value("")
    box.fill(DRAFT)
    return open_beside(page, site)


def open_beside(page: Page, site: Site) -> Page:
    """A second tab, which shows the draft for a new chat."""
    left_open = page.context.new_page()
    left_open.goto(site.url)
    expect(left_open.get_by_label("Your message", exact=True)).to_have_value(DRAFT)
    expect(left_open.get_by_text("Model: The built-in helper")).to_be_visible()
    return left_open


def list_kept(page: Page) -> dict[str, str]:
    """What the browser keeps of the site, and this tab, but for files of the site itself."""
    entries: dict[str, str] = page.evaluate(LIST_KEPT)
    return entries


def expect_nothing_kept(*tabs: Page) -> None:
    for tab in tabs:
        expect(tab.get_by_label("Password", exact=True)).to_be_visible()
        tab.wait_for_function("() => !localStorage['throughline/user']")
        wait_until_empty(tab)


def wait_until_empty(tab: Page) -> None:
    """Databases and caches go a moment after the rest."""
    signed_out = {"throughline/user": ""}
    wait_for(lambda: list_kept(tab) == signed_out, explain=lambda: str(list_kept(tab)))


def invite(page: Page, site: Site) -> str:
    page.goto(f"{site.url}/account/people")
    page.get_by_role("button", name="Make an invitation").click()
    return page.get_by_label("Link").input_value()


def test_who_is_signed_out_in_mid_chat_finds_the_draft_and_who_signs_out_leaves_nothing(
    page: Page, site: Site
) -> None:
    page.goto(site.url)
    expect(page.get_by_text("Nobody has an account here yet.")).to_be_visible()
    sign_up(page, site)
    begin_draft(page, site).close()
    page.go_back()
    page.context.clear_cookies()  # the session has ended by itself
    box = page.get_by_label("Your message", exact=True)
    expect(box).to_have_value(DRAFT)  # the scripts have run
    box.fill("Where were we?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Not sent. Please sign in.")).to_be_visible()
    page.get_by_role("alert").get_by_role("button", name="Sign in").first.click()
    sign_in(page)
    expect(page).to_have_url(re.compile("/c/"))
    expect(box).to_have_value(re.compile(r"Where were we\?$"))

    left_open = open_beside(page, site)
    assert DRAFT in str(list_kept(page))
    sign_out(page, site)
    expect_nothing_kept(page, left_open)
    left_open.close()
    sign_in(page)
    expect(box).to_have_value("")

    sign_in_with_a_code(page)
    expect(box).to_be_visible()
    expect(page.get_by_role("link", name="To be deleted.").first).to_be_visible()


def sign_in_with_a_code(page: Page) -> None:
    """Set up, by way of the settings, and used."""
    page.get_by_role("button", name="Settings", exact=True).click()
    page.get_by_role("tab", name="Account").click()
    page.get_by_role("dialog").get_by_role("link", name="Open").click()
    page.get_by_label("Present password").nth(1).fill(PASSWORD)
    page.get_by_role("button", name="Set up").click()
    secret = page.locator(".secret").inner_text()
    assert page.locator(".drawing svg").bounding_box()
    set_up_at = time.time()
    page.get_by_label("Code", exact=True).fill(pyotp.TOTP(secret).at(set_up_at))
    page.keyboard.press("Enter")
    expect(page.locator(".codes li")).to_have_count(10)
    page.get_by_role("link", name="I have kept them").click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    sign_in(page)
    expect(page.get_by_label("Code", exact=True)).to_be_focused()
    # A code is good once. The next one is good already, since a device's clock may be ahead.
    page.get_by_label("Code", exact=True).fill(pyotp.TOTP(secret).at(set_up_at + 30))
    page.keyboard.press("Enter")


def test_who_signs_in_next_finds_nothing_of_another_account_nor_of_one_that_is_deleted(
    page: Page, site: Site
) -> None:
    """The session of the first one has ended by itself: nobody has signed out."""
    sign_up(page, site)
    olga = page.evaluate("document.body.dataset.user")
    invitation = invite(page, site)
    page.goto(site.url)
    left_open = begin_draft(page, site)
    deletion = f"throughline/{olga}/deleting.{'0' * 32}"
    page.context.clear_cookies()

    sign_up_as("Paul", page, invitation)
    expect(page.locator(f"body:not([data-user='{olga}'])")).to_be_visible()
    page.evaluate("name => { localStorage[name] = '1' }", deletion)
    for tab in (page, left_open):
        expect(tab.locator(f"body:not([data-user='{olga}'])")).to_be_visible()
        expect(tab.get_by_label("Your message", exact=True)).to_have_value("")
        with tab.expect_response("**/api/v1/status"):
            tab.reload()
        tab.wait_for_load_state("networkidle")
        entries = list_kept(tab)
        assert {name for name in entries if olga in name} == {deletion}
        assert DRAFT not in str(entries)
        assert "From before" not in str(entries)
    left_open.close()
    sign_out(page, site)
    sign_in(page)  # what Olga wanted to be deleted is
    page.wait_for_function("name => !(name in localStorage)", arg=deletion)

    page.context.clear_cookies()
    page.goto(f"{site.url}/account/sign-in")
    sign_in(page, "paul")
    left_open = begin_draft(page, site)
    page.goto(f"{site.url}/account")
    page.get_by_label("Present password").last.fill(PASSWORD)
    page.get_by_label("Type").fill("Paul")
    page.get_by_role("button", name="Delete").click()
    expect_nothing_kept(page, left_open)


def test_the_account_pages_can_be_read_and_used_by_everybody(page: Page, site: Site) -> None:
    """In both colour schemes and at all widths, by axe where it is installed."""
    page.goto(find_setup_link(site))
    findings = look_at(page, "sign-up")
    sign_up(page, site)
    for path in ("/account", "/account/reset?link=x", "/account/people"):
        page.goto(site.url + path)
        findings |= look_at(page, path)
    page.get_by_role("button", name="Make an invitation").click()
    expect(page.get_by_label("Link")).to_have_value(re.compile("sign-up"))
    findings |= look_at(page, "link")
    sign_out(page, site)
    page.goto(f"{site.url}/account/sign-in")
    findings |= look_at(page, "sign-in")
    page.get_by_label("Name", exact=True).fill("olga")
    page.get_by_label("Password", exact=True).fill("a wrong one")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("wrong")
    findings |= look_at(page, "refused")
    page.get_by_role("button", name="العربية").click()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.get_by_role("heading", level=1)).to_have_text("تسجيل الدخول")
    findings |= look_at(page, "Arabic")
    assert findings == {}, json.dumps(findings, indent=1)


def look_at(page: Page, name: str) -> dict[str, Any]:
    """What is wrong with the page, by name, width and scheme."""
    findings: dict[str, Any] = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        if wider := page.evaluate(OVERFLOW):
            findings[f"{name} {width}"] = f"{wider} px too wide"
    for scheme, rules in ((SCHEMES[0], ()), (SCHEMES[1], RULES_OF_LOOKS)):
        page.emulate_media(color_scheme=scheme)
        for violation in list_violations(page, rules=rules) if AXE.exists() else ():
            elements = [node["html"] for node in violation["nodes"]]
            findings[f"{name} {scheme} {violation['id']}"] = elements
    return findings
