"""Flower as other accounts of the machine and hostile clients find it."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from flower import urls

from tests.e2e.conftest import environment_of
from tests.e2e.server import raw_http
from tests.e2e.site import Site, running_site
from tests.services import Services
from tests.waiting import PATIENCE_S, wait_for

KNOWN = ("me", "flowers")
AUTHORIZATION = b"Authorization: Basic " + base64.b64encode(":".join(KNOWN).encode())
#: They show nothing of the site: "OK" for health checks, styles, and a sign-in that is not used.
OPEN = {"/healthcheck", "/static/x", "/login", "/logout"}


@pytest.fixture(scope="module")
def site(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with services.databases.lend() as url:
        environment = environment_of(services, url, 5) | {"FLOWER_BASIC_AUTH": ":".join(KNOWN)}
        folder: Path = tmp_path_factory.mktemp("flower")
        with running_site(environment, folder, "web", "flower") as running:
            wait_for(
                lambda: ask(f"{running.url}/flower/", auth=KNOWN).is_success,
                explain=running.log("flower"),
            )
            yield running


def ask(address: str, method: str = "GET", auth: tuple[str, str] | None = None) -> httpx.Response:
    return httpx.request(method, address, auth=auth, timeout=PATIENCE_S)


def own_address(site: Site) -> str:
    return f"http://127.0.0.1:{site.environment['FLOWER_PORT']}/flower"


def list_paths() -> list[str]:
    """An address for each of Flower's handlers."""
    patterns = [
        handler[0] if isinstance(handler, tuple) else handler.regex.pattern
        for handler in urls.handlers
    ]
    paths = {
        re.sub(r"\(\.[*+]\)|\.\*", "x", pattern).rstrip("$").removesuffix("/?")
        for pattern in patterns
    }
    return sorted(paths)


@pytest.mark.parametrize("path", list_paths())
def test_flowers_own_port_shows_nothing_without_the_password(site: Site, path: str) -> None:
    for method in ("GET", "POST"):
        answer = ask(own_address(site) + path, method)
        assert path in OPEN or answer.status_code in {401, 404, 405}, answer.text
        assert "@" not in answer.text  # as names of workers have it


def test_prometheus_reads_flowers_metrics_with_the_password(site: Site) -> None:
    address = f"{own_address(site)}/metrics"
    assert ask(address).status_code == 401
    assert ask(address, auth=("me", "guessed")).status_code == 401
    answer = ask(address, auth=KNOWN)
    assert answer.status_code == 200
    assert "python_info" in answer.text


@pytest.mark.parametrize(
    "target",
    [
        b"/flower/%00", b"/flower/%0a%0d", b"/flower/%ff%fe", b"/flower/\xc3\xa4",
        b"/flower/a%3Fb%23c",
        b"/flower/%2e%2e/metrics", b"/flower/..%2f..%2f", b"/flower//host/x", b"/flower/task/%00",
        b"/flower/%F0%9F%8C%BC", b"/flower/http://example.org/", b"/flower/?q=%00&q=%ff&%00=1",
        b"/flower/?\xff=\xfe", b"/flower/tasks?limit=%ED%A0%80", b"/flower/" + b"%00" * 2000,
        b"/flower/static/%00", b"/flower/%5B::1%5D:80/", b"/flower/worker/%25", b"/flower/\\x",
    ],
)  # fmt: skip
def test_an_odd_address_is_passed_on_or_refused(site: Site, target: bytes) -> None:
    head = b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\n" + AUTHORIZATION + b"\r\n\r\n"
    answer = raw_http.ask(site.port, head)
    assert answer.status in {200, 302, 304, 308, 400, 404, 405, 414}, answer


@pytest.mark.parametrize(
    "header",
    [
        b"Accept: \xff", b"Accept: caf\xc3\xa9", b"Accept: text/html;q=\x80",
        b'If-None-Match: "\xe4"',
        b"Content-Type: \xff\xfe", b"X-XSRFToken: \xe2\x82\xac", b"Cookie: _xsrf=\xe2\x82\xac",
        b'Cookie: _xsrf="\\012\\015x"', b"Cookie: _xsrf=\xff; _xsrf=y", b"Accept: " + b"x" * 7000,
        b"Accept: ", b"If-None-Match: *", b"Cookie: \xff\xfe",
    ],
)  # fmt: skip
@pytest.mark.parametrize("method", [b"GET", b"POST"])
def test_an_odd_header_is_passed_on_or_refused(site: Site, method: bytes, header: bytes) -> None:
    head = b"%b /flower/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n" % method
    answer = raw_http.ask(site.port, head + AUTHORIZATION + b"\r\n" + header + b"\r\n\r\n")
    assert answer.status in {200, 304, 400, 403, 404, 405, 415, 431}, answer
