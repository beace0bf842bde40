"""What a client says of the way of its request, on a site that trusts no proxy."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.conftest import environment_of
from tests.e2e.server.raw_http import ask
from tests.e2e.site import Site, running_site
from tests.services import Services

REDIS = 13
HEADERS = (
    "X-Forwarded-Proto: https",
    "X-Forwarded-Protocol: ssl",
    "X-Forwarded-Ssl: on",
    "X-Forwarded-Scheme: https",
    "X-Forwarded-Host: evil.example",
    "X-Forwarded-Port: 4444",
    "X-Forwarded-Prefix: /evil",
    "X-Forwarded-Server: evil.example",
    "X-Script-Name: /evil",
    "X-Original-URL: /evil",
    "X-Rewrite-URL: /evil",
    "Front-End-Https: on",
    "Forwarded: for=1.2.3.4;host=evil.example;proto=https",
    "SCRIPT_NAME: /account",
    "PATH_INFO: /evil",
    "REMOTE_USER: olga",
)
PATHS = ("/account/sign-in", "/.well-known/oauth-authorization-server", "/account", "/sign-in")


@pytest.fixture(scope="module")
def site(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with services.databases.lend() as url:
        environment = environment_of(services, url, REDIS) | {"AUTH_MODE": "password"}
        with running_site(environment, tmp_path_factory.mktemp("forwarded"), "web") as site:
            yield site


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("header", HEADERS)
def test_no_header_of_a_proxy_counts_on_loopback(site: Site, path: str, header: str) -> None:
    plain, changed = (ask(site.port, _request(path, *more)) for more in ((), (header,)))
    assert plain.status == changed.status
    assert "evil" not in repr(changed.headers).lower()
    assert b"evil.example" not in changed.body
    assert "secure" not in changed.headers.get("set-cookie", "").lower()
    assert plain.headers.get("location") == changed.headers.get("location")


def _request(path: str, *headers: str) -> bytes:
    lines = [f"GET {path} HTTP/1.1", "Host: localhost", "Connection: close", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"
