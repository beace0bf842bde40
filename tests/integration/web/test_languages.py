"""Pages in the language that the reader has chosen, or that the browser asks for."""

from __future__ import annotations

import json
import re

import pytest

from tests.integration.web.conftest import Browser, MakeBrowser
from web.pages.texts import read_texts

pytestmark = pytest.mark.newcomers

HTML = {"Accept": "text/html"}


def html_of(browser: Browser, path: str = "/", accept_language: str | None = None) -> str:
    headers = HTML | ({"Accept-Language": accept_language} if accept_language else {})
    return browser.client.get(path, headers=headers).text


def root_of(html: str) -> str:
    match = re.search(r"<html [^>]+>", html)
    assert match
    return match[0]


@pytest.mark.parametrize(
    ("accept_language", "root"),
    [
        (None, '<html lang="en" dir="ltr">'),
        ("de-CH,en;q=0.5", '<html lang="de" dir="ltr">'),
        ("ar-SA", '<html lang="ar" dir="rtl">'),
        ("fr, en;q=0.9, de;q=0.8", '<html lang="en" dir="ltr">'),
        ("tlh", '<html lang="en" dir="ltr">'),
        (";;q=x,\x7f", '<html lang="en" dir="ltr">'),
    ],
)
def test_the_page_is_in_the_best_language_that_there_is(
    browser: Browser, accept_language: str | None, root: str
) -> None:
    assert root_of(html_of(browser, accept_language=accept_language)) == root


def test_a_choice_counts_more_than_the_browser(browser: Browser) -> None:
    browser.client.set_cookie("throughline-language", "ar")
    assert 'lang="ar"' in root_of(html_of(browser, accept_language="de"))
    browser.client.set_cookie("throughline-language", "../../secret")
    assert 'lang="de"' in root_of(html_of(browser, accept_language="de"))


def test_the_operators_page_is_in_the_readers_language(make_separate_browser: MakeBrowser) -> None:
    browser = make_separate_browser()
    html = html_of(browser, "/operations", accept_language="ar")
    assert root_of(html) == '<html lang="ar" dir="rtl">'
    assert "<h1>التشغيل</h1>" in html
    assert "مهام لم يأخذها أي عامل بعد" in html  # for the page's script


def test_caches_are_told_what_the_page_depends_on(browser: Browser) -> None:
    vary = browser.client.get("/").vary
    assert "Accept-Language" in vary
    assert "Cookie" in vary
    assert "Accept-Language" not in browser.client.get("/api/v1/conversations").vary


def test_texts_come_once_and_without_those_of_the_operators(browser: Browser) -> None:
    html = html_of(browser, accept_language="de")
    scripts = re.findall(r'<script type="application/json" id="texts">(.+?)</script>', html)
    texts = json.loads(scripts[0])
    assert (len(scripts), texts["list.new"]) == (1, "Neuer Chat")
    assert not any(key.startswith("operations.") for key in texts)
    assert read_texts("de")["operations.title"] == "Betrieb"


def test_what_goes_wrong_is_told_in_the_same_language(browser: Browser) -> None:
    html = html_of(browser, "/nothing", "de")
    assert "Hier ist nichts" in html
    assert 'lang="de"' in root_of(html)


def test_pages_for_programmers_are_in_english_and_those_for_operators_are_not(
    browser: Browser,
) -> None:
    assert root_of(html_of(browser, "/api/v1/docs", "ar")) == '<html lang="en" dir="ltr">'
    assert root_of(html_of(browser, "/operations", "ar")) == '<html lang="ar" dir="rtl">'


def test_a_chat_is_exported_with_the_readers_words(browser: Browser) -> None:
    chat = browser.chat("Hallo").get_json()["conversation_id"]
    headers = {"Accept-Language": "de"}
    exported = browser.client.get(f"/api/v1/conversations/{chat}/export", headers=headers).text
    assert "Aus Throughline exportiert" in exported
    assert "## Du, " in exported
    assert "## Antwort, " in exported
