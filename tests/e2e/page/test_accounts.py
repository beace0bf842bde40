"""Accounts in a real browser, on the real processes."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from typing import Any

import pyotp
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import MakeSite
from tests.e2e.page.test_access import AXE, LIST_VIOLATIONS
from tests.e2e.site import Site
from tests.waiting import wait_for

PASSWORD = "walks on the moon"  # noqa: S105
DRAFT = "Only Olga may read this."
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
WIDTHS = (360, 768, 1280, 1920)


@pytest.fixture
def site(make_site: MakeSite) -> Site:
    return make_site("web", AUTH_MODE="password")


@pytest.fixture
def page(browser: Browser, site: Site) -> Iterator[Page]:
    """Closed before the site is."""
    assert site.running
    context = browser.new_context()
    problems: list[str] = []
    page = context.new_page()
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    yield page
    context.close()
    assert [one for one in problems if "status of 40" not in one] == []


def find_setup_link(site: Site) -> str:
    found: list[str] = []

    def look() -> bool:
        found[:] = re.findall(r'make_the_first="?([^\s"]+)', site.log_path("web").read_text())
        return bool(found)

    wait_for(look)
    return found[-1]


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


def sign_in(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill("olga")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")


def test_sign_up_chat_sign_out_and_sign_in_with_a_code(page: Page, site: Site) -> None:
    page.goto(site.url)
    expect(page.get_by_text("Nobody has an account here yet.")).to_be_visible()
    sign_up(page, site)
    expect(page.get_by_text("Model: offline/extractive")).to_be_visible()  # the scripts have run
    page.get_by_label("Your message", exact=True).fill("My name is Olga.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("My name is Olga.").first).to_be_visible()
    page.get_by_role("button", name="Settings", exact=True).click()
    page.get_by_role("dialog").get_by_role("link", name="Open").click()
    page.get_by_label("Present password").nth(1).fill(PASSWORD)
    page.get_by_role("button", name="Set up").click()
    secret = page.locator(".secret").inner_text()
    assert page.locator(".drawing svg").bounding_box()
    page.get_by_label("Code", exact=True).fill(pyotp.TOTP(secret).at(time.time() - 30))
    page.keyboard.press("Enter")
    expect(page.locator(".codes li")).to_have_count(10)
    page.get_by_role("link", name="I have kept them").click()
    page.get_by_role("button", name="Sign out", exact=True).click()
    sign_in(page)
    expect(page.get_by_label("Code", exact=True)).to_be_focused()
    page.get_by_label("Code", exact=True).fill(pyotp.TOTP(secret).now())
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your message", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="My name is Olga.").first).to_be_visible()


def test_what_one_account_leaves_in_a_browser_reaches_no_other(page: Page, site: Site) -> None:
    sign_up(page, site)
    box = page.get_by_label("Your message", exact=True)
    expect(page.get_by_text("Model: offline/extractive")).to_be_visible()  # the scripts have run
    box.fill("To be deleted.")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/c/"))
    own = page.url.rsplit("/", 1)[1]
    olga = page.evaluate("document.body.dataset.user")
    page.evaluate("localStorage['throughline.draft.new'] = 'From before accounts were apart.'")
    page.goto(site.url)
    expect(box).to_have_value("")
    box.fill(DRAFT)
    left_open = page.context.new_page()
    left_open.goto(site.url)
    expect(left_open.get_by_label("Your message", exact=True)).to_have_value(DRAFT)
    page.goto(f"{site.url}/account/people")
    page.get_by_role("button", name="Make an invitation").click()
    invitation = page.get_by_label("Link").input_value()
    sign_out(page, site)

    sign_up_as("Paul", page, invitation)
    for one in (page, left_open):
        expect(one.locator(f"body:not([data-user='{olga}'])")).to_be_visible()
        expect(one.get_by_label("Your message", exact=True)).to_have_value("")
    deletion = f"throughline/{olga}/deleting.{own}"
    page.evaluate("name => { localStorage[name] = '1' }", deletion)
    with page.expect_response("**/api/status"):
        page.reload()
    page.wait_for_load_state("networkidle")
    assert deletion in page.evaluate("Object.keys(localStorage)")
    sign_out(page, site)

    sign_in(page)
    expect(box).to_have_value(DRAFT)
    page.wait_for_function("name => !(name in localStorage)", arg=deletion)
    expect(page.get_by_role("link", name="To be deleted.")).to_have_count(0)
    assert "From before" not in page.evaluate("JSON.stringify(localStorage)")


def test_the_account_pages_can_be_read_and_used_by_everybody(page: Page, site: Site) -> None:
    """In both colour schemes and at all widths, by axe where it is installed."""
    findings = look_around(page, find_setup_link(site))
    sign_up(page, site)
    for path in ("/account", "/account/people", "/account/reset?link=x"):
        findings |= look_around(page, site.url + path)
    page.goto(f"{site.url}/account/people")
    page.get_by_role("button", name="Make an invitation").click()
    expect(page.get_by_label("Link")).to_have_value(re.compile("sign-up"))
    findings |= look_at(page, "link")
    page.goto(f"{site.url}/account")
    page.get_by_role("button", name="Sign out", exact=True).click()
    findings |= look_around(page, f"{site.url}/account/sign-in")
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


def look_around(page: Page, address: str) -> dict[str, Any]:
    page.goto(address)
    return look_at(page, address)


def look_at(page: Page, name: str) -> dict[str, Any]:
    """What is wrong with the page, by name, scheme and width."""
    found: dict[str, Any] = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            wider = page.evaluate(OVERFLOW)
            if wider:
                found[f"{name} {width}"] = f"{wider} px too wide"
        if AXE.exists():
            page.evaluate(AXE.read_text())
            for one in page.evaluate(LIST_VIOLATIONS):
                found[f"{name} {scheme} {one['id']}"] = [node["html"] for node in one["nodes"]]
    return found
