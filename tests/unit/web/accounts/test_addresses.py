"""Addresses of clients and of pages."""

from __future__ import annotations

import pytest
from flask import Flask, request

from shared.settings import Settings
from web.accounts.addresses import page_within, site_url
from web.requests.client_address import client_network

PROXIED = Settings(auth_mode="password", trusted_proxies=("10.0.0.0/8", "fd00::/8"))


@pytest.mark.parametrize(
    ("sender", "forwarded", "network"),
    [
        ("203.0.113.5", "", "203.0.113.5"),
        ("203.0.113.5", "198.51.100.1", "203.0.113.5"),  # no trusted proxy: invented
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "1.2.3.4, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "198.51.100.1, 10.0.0.2", "198.51.100.1"),
        ("10.0.0.1", "198.51.100.1, nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"),
        ("fd00::1", "2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.5", "", "203.0.113.5"),
    ],
)
def test_the_last_address_that_is_no_trusted_proxy_counts(
    sender: str, forwarded: str, network: str
) -> None:
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    with Flask(__name__).test_request_context(
        headers=headers, environ_base={"REMOTE_ADDR": sender}
    ):
        assert client_network(request, PROXIED) == network


@pytest.mark.parametrize(
    "text",
    [
        "//evil.example", "https://evil.example", "/\\evil.example", "\\evil.example", "evil",
        "/\t/evil.example", "/a\nb", "", None, "/\x00", "javascript:x", "///x", "/\u2028x",
    ],
)  # fmt: skip
def test_what_is_no_page_of_this_site_is_its_first_page(text: str | None) -> None:
    assert page_within(text) == "/"


@pytest.mark.parametrize("text", ["/", "/c/some-chat", "/account?done=name", "/c/x?a=//b", "/é"])
def test_pages_of_this_site_are_kept(text: str) -> None:
    assert page_within(text) == text


@pytest.mark.parametrize(
    ("settings", "url"),
    [
        ({"bind": "0.0.0.0", "port": 8000}, "http://localhost:8000"),  # noqa: S104
        ({"bind": "::1", "port": 80}, "http://[::1]:80"),
        ({"public_url": "https://chat.example.org/"}, "https://chat.example.org"),
    ],
)
def test_links_lead_to_where_browsers_find_the_site(settings: dict[str, str], url: str) -> None:
    assert site_url(Settings(auth_mode="password", **settings)) == url  # type: ignore[arg-type]
