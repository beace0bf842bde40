"""Who is asking, and from where."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shared.settings import SettingsError, read_settings
from tests.integration.web.conftest import Browser

PROXY = {"auth_mode": "proxy", "trusted_proxies": ("127.0.0.1/32",)}


def test_on_ones_own_machine_there_is_one_user(browser: Browser) -> None:
    assert browser.get("/api/status")["user_id"] == "local"


def test_behind_a_proxy_the_user_is_whom_it_names(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY)
    assert site.get("/api/status", **{"X-Forwarded-User": "ada"})["user_id"] == "ada"
    nobody = site.client.get("/api/status")
    assert (nobody.status_code, nobody.get_json()["error"]["code"]) == (401, "not_signed_in")


def test_the_header_counts_from_trusted_proxies_only(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(auth_mode="proxy", trusted_proxies=("10.1.0.0/16",))
    answer = site.client.get("/api/status", headers={"X-Forwarded-User": "ada"})
    assert answer.status_code == 403


def test_nobody_reads_or_writes_anothers_conversation(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY)
    ada, bob = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
    own = site.client.post("/chat", json={"message": "Secret"}, headers=ada).get_json()
    own_id = own["conversation_id"]
    for path in ("messages", "memory", "jobs"):
        assert (
            site.client.get(f"/api/conversations/{own_id}/{path}", headers=bob).status_code == 404
        )
    assert site.client.get(f"/chat/{own_id}/1/stream", headers=bob).status_code == 404
    for path in (f"/chat/{own_id}/1/stop", f"/chat/{own_id}/1/retry"):
        assert site.client.post(path, json={}, headers=bob).status_code == 404
    body = {"message": "Mine now", "conversation_id": own_id}
    assert site.client.post("/chat", json=body, headers=bob).status_code == 404
    assert site.get("/api/conversations", **bob)["conversations"] == []
    assert len(site.get("/api/conversations", **ada)["conversations"]) == 1


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}],
)
def test_other_sites_pages_can_change_nothing(browser: Browser, headers: dict[str, str]) -> None:
    answer = browser.client.post("/chat", json={"message": "x"}, headers=headers)
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (403, "forbidden")
    same = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert browser.client.post("/chat", json={"message": "x"}, headers=same).status_code == 200


def test_no_other_name_leads_to_a_local_site(browser: Browser) -> None:
    answer = browser.client.get("/api/status", headers={"Host": "rebound.example"})
    assert answer.status_code == 400


def test_pages_and_answers_carry_the_security_headers(browser: Browser) -> None:
    headers = browser.client.get("/api/status").headers
    policy = headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_a_site_that_asks_nobody_stays_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIND", "0.0.0.0")  # noqa: S104 - refused
    with pytest.raises(SettingsError, match=r"BIND=0\.0\.0\.0"):
        read_settings()
