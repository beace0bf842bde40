"""On one's own machine: who shows the site's token is let in, and nobody else."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from shared.local_secrets import find_local_token, token_path
from shared.settings import SettingsError, read_settings
from tests.integration.web.conftest import Browser
from tests.refusals import code_of
from tests.services import MakeSettings

pytestmark = pytest.mark.shares_sites

TOKEN = "correct-horse-battery"  # noqa: S105
BEARER = {"Authorization": f"Bearer {TOKEN}"}
OPEN = (
    "/healthz", "/metrics", "/assets/any/icon.svg", "/api/v1/openapi.json", "/api/v1/problems",
    "/api/v1/docs", "/manifest.webmanifest", "/service-worker.js", "/offline",
    "/diagrams/frame",
)  # fmt: skip


@pytest.fixture
def site(make_browser: Callable[..., Browser]) -> Browser:
    return make_browser(local_token=TOKEN)


def test_without_the_token_nothing_private_is_answered(site: Browser) -> None:
    refused = {
        rule.rule: site.client.open(rule.rule, method=method).status_code
        for rule in site.client.application.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if "<" not in rule.rule and not rule.rule.startswith((*OPEN, "/readyz"))
    }
    assert set(refused.values()) == {401}, refused
    assert code_of(site.client.get("/api/v1/facts")) == "not_signed_in"


@pytest.mark.parametrize("path", OPEN)
def test_what_is_for_machines_is_open(site: Browser, path: str) -> None:
    assert site.client.get(path, buffered=True).status_code == 200


@pytest.mark.parametrize("header", ["Bearer wrong", "Bearer", "Basic " + "eDp5", "Bearer \xe4"])
def test_a_wrong_token_is_no_token(site: Browser, header: str) -> None:
    answer = site.client.get("/api/v1/facts", headers={"Authorization": header})
    assert answer.status_code == 401


def test_programs_send_the_token_with_each_request(site: Browser) -> None:
    answer = site.client.post("/chat", json={"message": "Hello"}, headers=BEARER)
    assert answer.status_code == 200
    assert site.client.get("/api/v1/operations", headers=BEARER).status_code == 200


def test_the_page_asks_for_the_token(site: Browser) -> None:
    answer = site.client.get("/c/some-chat")
    assert (answer.status_code, answer.mimetype) == (401, "text/html")
    assert 'name="token"' in answer.text
    assert 'role="alert"' not in answer.text
    assert 'role="alert"' in site.client.get("/?token=wrong").text


def test_an_address_with_the_token_leaves_a_cookie_in_its_place(site: Browser) -> None:
    answer = site.client.get(f"/c/some-chat?a=1&token={TOKEN}")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/c/some-chat?a=1")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert TOKEN not in cookie
    assert site.client.get("/").status_code == 200
    assert site.client.get("/api/v1/facts").status_code == 200


def test_the_token_in_an_address_of_the_api_lets_nobody_in(site: Browser) -> None:
    """It would stand in histories and logs."""
    assert site.client.get(f"/api/v1/facts?token={TOKEN}").status_code == 401


def test_sites_on_other_ports_keep_their_own_cookies(site: Browser) -> None:
    first = site.client.get(f"/?token={TOKEN}", base_url="http://localhost:8000")
    assert first.headers["Set-Cookie"].startswith("throughline-8000=")
    assert site.client.get("/api/v1/facts", base_url="http://localhost:8000").status_code == 200
    assert site.client.get("/api/v1/facts", base_url="http://localhost:9000").status_code == 401


def test_a_token_is_made_once_for_its_owners_eyes_only(
    make_settings: MakeSettings, tmp_path: Path
) -> None:
    settings = make_settings(local_token="")
    before = set(tmp_path.iterdir())
    token = find_local_token(settings)
    assert token is not None
    assert len(token) >= 32
    assert find_local_token(settings) == token
    assert stat.S_IMODE(token_path(tmp_path).stat().st_mode) == 0o600
    assert set(tmp_path.iterdir()) - before == {tmp_path / "local-token"}


def test_it_can_be_turned_off_and_a_proxy_needs_none(make_settings: MakeSettings) -> None:
    assert find_local_token(make_settings(local_token="off")) is None
    proxy = make_settings(local_token="", auth_mode="proxy", trusted_proxies=("127.0.0.1",))
    assert find_local_token(proxy) is None


@pytest.mark.parametrize("token", ["short", "has a space in it", "ünïcödé-tökén"])
def test_a_token_that_cannot_be_sent_or_is_short_stops_the_start(token: str) -> None:
    with pytest.raises(SettingsError, match="LOCAL_TOKEN"):
        read_settings(local_token=token)
