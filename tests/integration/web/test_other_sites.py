"""What a page on another site, or another server on this machine, can make a browser do here."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urljoin, urlsplit

import pytest

from tests.integration.web.conftest import Browser

pytestmark = pytest.mark.shares_sites

TOKEN = "correct-horse-battery"  # noqa: S105
HERE = "http://localhost"
SAID = '{"message": "I was never sent."}'

# What a form, or a script that may not ask before, can send.
TYPES = [
    "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "",
    "text/plain; application/json", "text/plain, application/json", "application/json+x",
    "text/json", "application/csp-report", "application/reports+json",
]  # fmt: skip
ORIGINS = [
    "http://evil.example", "null", "http://localhost.evil.example", "http://localhost:9000",
    "http://evil.example#localhost", "http://localhost@evil.example", "file://", "",
    "http://127.0.0.1", "chrome-extension://localhost", "//localhost", "ftp://localhost",
]  # fmt: skip
PLACES = [
    "//evil.example", "//evil.example/c/x", "/c//evil.example", "/c/%2f%2fevil.example",
    "/c/%5cevil.example", "/c/%5c%5cevil.example", "/\\evil.example", "/c/%0d%0aLocation:%20x",
    "/c/http:%2f%2fevil.example", "/c/x%00", "/c/..%2f..%2f%2fevil.example", "/c/.//evil.example",
    "/%2f/evil.example", "/c/%ff", "/c/@evil.example", "/operations//evil.example",
    "/;@evil.example",
]  # fmt: skip


HOSTS = [
    "localhost:80a", "localhost:", "a@localhost", "localhost/x", "localhost#", "localhost?x",
    "localhost\\x", "localhost:80:80", " localhost", "localhost%00",
]  # fmt: skip


@pytest.fixture
def site(make_browser: Callable[..., Browser]) -> Browser:
    return make_browser(local_token=TOKEN)


@pytest.fixture
def signed_in(site: Browser) -> Browser:
    """As a browser whose user has opened the address with the token."""
    assert site.client.get(f"/?token={TOKEN}").status_code == 302
    return site


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("path", ["/chat", "/api/v1/facts", "/api/v1/imports"])
def test_what_a_form_can_send_is_refused_even_without_an_origin(
    signed_in: Browser, kind: str, path: str
) -> None:
    answer = signed_in.client.post(path, data=SAID, content_type=kind)
    assert answer.status_code in {400, 415}
    assert signed_in.get("/api/v1/conversations")["conversations"] == []


@pytest.mark.parametrize("origin", ORIGINS)
def test_another_origin_changes_nothing_even_with_the_cookie(
    signed_in: Browser, origin: str
) -> None:
    for path in ("/chat", "/api/v1/facts"):
        answer = signed_in.client.post(
            path, data=SAID, content_type="application/json", headers={"Origin": origin}
        )
        assert answer.status_code == 403
    gone = signed_in.client.delete(
        "/api/v1/me", json={"confirm": "local"}, headers={"Origin": origin}
    )
    assert gone.status_code == 403
    assert signed_in.get("/api/v1/conversations")["conversations"] == []


def test_another_site_is_given_no_leave_to_read(signed_in: Browser) -> None:
    headers = {"Origin": "http://evil.example", "Access-Control-Request-Method": "DELETE"}
    for answer in (
        signed_in.client.options("/api/v1/me", headers=headers),
        signed_in.client.get("/api/v1/conversations", headers=headers),
    ):
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize("place", PLACES)
def test_the_token_in_an_address_leads_nowhere_else(site: Browser, place: str) -> None:
    answer = site.client.open(f"{place}?token={TOKEN}&next=//evil.example", base_url=HERE)
    assert answer.status_code < 500
    leads_to = urlsplit(urljoin(f"{HERE}/", answer.headers.get("Location", "/").replace("\\", "/")))
    assert leads_to.netloc == "localhost"
    assert "\n" not in answer.headers.get("Location", "")


@pytest.mark.parametrize(
    "cookie", ["", "x", TOKEN, f'"{TOKEN}"', "ü", "0" * 64, "a" * 4000, "; throughline=", "\x01"]
)
def test_a_cookie_that_another_server_has_set_lets_nobody_in(site: Browser, cookie: str) -> None:
    for name in ("throughline", "throughline-80", "__Host-throughline"):
        answer = site.client.get("/api/v1/facts", headers={"Cookie": f"{name}={cookie}"})
        assert answer.status_code == 401


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_that_is_none_is_refused_or_harmless(site: Browser, host: str) -> None:
    answer = site.client.get(f"/?token={TOKEN}", headers={"Host": host})
    assert answer.status_code in {302, 400}
    assert answer.headers.get("Location", "/") == "/"


def test_reading_changes_nothing(signed_in: Browser) -> None:
    """A link or a picture on another site can have any address here fetched."""
    noted = {"exported_at": 0, "audit_events": []}  # some reads are noted in the audit log
    before = signed_in.get("/api/v1/export")
    for rule in signed_in.client.application.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and "<" not in rule.rule:
            # the stream of events would go on for ever
            query = {"wait": "false"} if rule.rule.endswith("/events") else {}
            signed_in.client.get(rule.rule, query_string=query, buffered=True)
    assert signed_in.get("/api/v1/export") | noted == before | noted
