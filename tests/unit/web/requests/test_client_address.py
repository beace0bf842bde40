"""Where a request comes from."""

from __future__ import annotations

import pytest
from flask import Flask, request

from shared.settings import Settings
from web.requests.client_address import client_address

PROXIED = Settings(auth_mode="password", trusted_proxies=("10.0.0.0/8", "fd00::/8"))


@pytest.mark.parametrize(
    ("sender", "forwarded", "address"),
    [
        ("203.0.113.5", "198.51.100.1", "203.0.113.5"),  # no trusted proxy: invented
        ("10.0.0.1", "1.2.3.4, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "198.51.100.1, 10.0.0.2", "198.51.100.1"),
        ("10.0.0.1", "198.51.100.1, my cat", "10.0.0.1"),
        ("10.0.0.1", "fe80::1%my cat", "10.0.0.1"),
        ("10.0.0.1", " 2001:DB8::9 ", "2001:db8::9"),
        ("", "198.51.100.1", ""),
    ],
)
def test_nothing_that_a_client_invents_is_its_address(
    sender: str, forwarded: str, address: str
) -> None:
    with Flask(__name__).test_request_context(
        headers={"X-Forwarded-For": forwarded}, environ_base={"REMOTE_ADDR": sender}
    ):
        assert client_address(request, PROXIED) == address
