"""What a page on another site can make a signed-in browser do: nothing."""

from __future__ import annotations

import re

import pytest

from tests.integration.web.accounts.conftest import PASSWORD, AccountSite

pytestmark = pytest.mark.shares_sites

EVIL = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]


def list_posts(site: AccountSite) -> list[str]:
    rules = site.browser.client.application.url_map.iter_rules()
    return [
        re.sub(r"<[^>]+>", "acct_x", rule.rule)
        for rule in rules
        if rule.endpoint.startswith("accounts.") and "POST" in (rule.methods or ())
    ]


def test_no_form_is_taken_without_the_token_of_its_page(site: AccountSite) -> None:
    olga = site.operator("Olga")
    posts = list_posts(site)
    assert len(posts) > 15
    for path in posts:
        fields = {"present": PASSWORD, "confirm": "Olga", "name": "Olga", "password": PASSWORD}
        assert olga.post(path, **fields).status_code == 400, path
        assert olga.post(path, csrf_token="x", **fields).status_code == 400, path
    assert olga.is_signed_in()


def test_a_token_of_another_browser_is_not_taken(site: AccountSite) -> None:
    olga = site.operator("Olga")
    eve = site.user("Eve")
    match = re.search(r'csrf_token" value="([^"]+)"', eve.get("/account").text)
    assert match
    assert olga.post("/account/sign-out", csrf_token=match[1]).status_code == 400
    assert olga.is_signed_in()


@pytest.mark.parametrize("headers", EVIL)
def test_another_origin_is_refused_even_with_a_token(
    site: AccountSite, headers: dict[str, str]
) -> None:
    olga = site.operator("Olga")
    match = re.search(r'csrf_token" value="([^"]+)"', olga.get("/account").text)
    assert match
    olga.headers = headers
    answer = olga.post("/account/sign-out-everywhere", csrf_token=match[1])
    assert answer.status_code == 403
    olga.headers = {}
    assert olga.is_signed_in()


def test_the_api_refuses_forms_and_other_origins_of_a_signed_in_browser(site: AccountSite) -> None:
    olga = site.operator("Olga")
    body = '{"category": "identity", "key": "name", "value": "Eve"}'
    form = olga.client.post("/api/v1/facts", data=body, content_type="text/plain")
    assert form.status_code == 415
    other = olga.client.post(
        "/api/v1/facts", json={"category": "identity", "key": "name", "value": "E"}, headers=EVIL[0]
    )
    assert other.status_code == 403
    assert olga.get("/api/v1/facts").get_json()["facts"] == []


def test_the_pages_forms_name_their_origin(site: AccountSite) -> None:
    """Under `no-referrer` a browser would send `Origin: null` with a form."""
    site.operator()
    assert site.person("").get("/account/sign-in").headers["Referrer-Policy"] == "same-origin"


def test_reading_the_account_pages_changes_nothing(site: AccountSite) -> None:
    olga = site.operator("Olga")
    for rule in olga.client.application.url_map.iter_rules():
        if rule.endpoint.startswith("accounts.") and "GET" in (rule.methods or ()):
            assert olga.get(rule.rule).status_code < 500
    assert olga.is_signed_in()
    assert site.person("Olga").sign_in().status_code == 303
