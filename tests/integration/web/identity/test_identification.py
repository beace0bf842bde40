"""Who is asking, and from where."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shared.settings import SettingsError, read_settings
from tests.integration.web.conftest import Browser
from tests.refusals import code_of

pytestmark = pytest.mark.shares_sites

PROXY = {"auth_mode": "proxy", "trusted_proxies": ("127.0.0.1/32",)}


def test_on_ones_own_machine_there_is_one_user(browser: Browser) -> None:
    assert browser.get("/api/v1/status")["user_id"] == "local"


def test_behind_a_proxy_the_user_is_whom_it_names(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY)
    assert site.get("/api/v1/status", **{"X-Forwarded-User": "ada"})["user_id"] == "ada"
    nobody = site.client.get("/api/v1/status")
    assert (nobody.status_code, code_of(nobody)) == (401, "not_signed_in")


def test_the_header_counts_from_trusted_proxies_only(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(auth_mode="proxy", trusted_proxies=("10.1.0.0/16",))
    answer = site.client.get("/api/v1/status", headers={"X-Forwarded-User": "ada"})
    assert answer.status_code == 403


def test_nobody_reads_or_writes_anothers_conversation(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY)
    ada, bob = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
    result = site.client.post("/chat", json={"message": "Secret"}, headers=ada).get_json()
    conversation_id = result["conversation_id"]
    for path in ("messages", "memory", "jobs"):
        assert (
            site.client.get(
                f"/api/v1/conversations/{conversation_id}/{path}", headers=bob
            ).status_code
            == 404
        )
    assert site.client.get(f"/chat/{conversation_id}/1/stream", headers=bob).status_code == 404
    for path in (f"/chat/{conversation_id}/1/stop", f"/chat/{conversation_id}/1/retry"):
        assert site.client.post(path, json={}, headers=bob).status_code == 404
    body = {"message": "Mine now", "conversation_id": conversation_id}
    assert site.client.post("/chat", json=body, headers=bob).status_code == 404
    assert site.get("/api/v1/conversations", **bob)["conversations"] == []
    assert len(site.get("/api/v1/conversations", **ada)["conversations"]) == 1


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}],
)
def test_other_sites_pages_can_change_nothing(browser: Browser, headers: dict[str, str]) -> None:
    answer = browser.client.post("/chat", json={"message": "x"}, headers=headers)
    assert (answer.status_code, code_of(answer)) == (403, "forbidden")
    same = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert browser.client.post("/chat", json={"message": "x"}, headers=same).status_code == 200


@pytest.mark.parametrize(
    "host", ["rebound.example", "rebound.example:8000", "localhost.rebound.example", "[::2]", "["]
)
def test_no_other_name_leads_to_a_local_site(browser: Browser, host: str) -> None:
    for path in ("/", "/api/v1/status", "/healthz", "/nothing", "/assets/any/icon.svg"):
        assert browser.client.get(path, headers={"Host": host}).status_code == 400


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "127.0.0.1:8000", "[::1]:8000"])
def test_local_names_lead_to_it(browser: Browser, host: str) -> None:
    assert browser.client.get("/api/v1/status", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [("chat.example", 200), ("a.team.example", 200), ("team.example", 400), ("[fe80::1]", 200)],
)
def test_a_site_answers_to_the_names_that_are_set(
    make_browser: Callable[..., Browser], host: str, status: int
) -> None:
    site = make_browser(trusted_hosts="chat.example,.team.example,fe80::1")
    assert site.client.get("/api/v1/status", headers={"Host": host}).status_code == status


def test_a_probe_may_ask_by_any_address(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY, trusted_hosts="chat.example")
    probe = {"Host": "10.1.2.3:8000"}
    paths = ("/healthz", "/readyz", "/metrics", "/api/v1/status")
    answers = [site.client.get(path, headers=probe).status_code for path in paths]
    assert answers == [200, 200, 400, 400]


def test_pages_and_answers_carry_the_security_headers(browser: Browser) -> None:
    headers = browser.client.get("/api/v1/status").headers
    policy = headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_a_site_that_asks_nobody_stays_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIND", "0.0.0.0")  # noqa: S104 - refused
    with pytest.raises(SettingsError, match=r"BIND=0\.0\.0\.0"):
        read_settings()


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/api/v1/status",
        "/api/v1/conversations",
        "/api/v1/facts",
        "/api/v1/search?q=x",
        "/api/v1/export",
    ],
)
def test_nothing_private_is_kept_by_browsers_or_proxies(browser: Browser, path: str) -> None:
    assert browser.client.get(path).headers["Cache-Control"] == "no-store"


def test_replies_and_errors_are_not_kept_either(browser: Browser) -> None:
    for answer in (browser.chat(), browser.chat(stream=True), browser.client.get("/nothing")):
        assert answer.headers["Cache-Control"] == "no-store"
        answer.close()


@pytest.mark.parametrize(
    "name",
    ["José", "Łukasz", "渡辺", "Наталья", "à la carte", "Zoë Ünal", "محمد", "x" * 200, "ж" * 200],
)
def test_a_name_may_have_any_letters(make_browser: Callable[..., Browser], name: str) -> None:
    site = make_browser(**PROXY)
    header = name.encode().decode("latin-1")  # as WSGI gives the bytes of a proxy
    assert site.get("/api/v1/status", **{"X-Forwarded-User": header})["user_id"] == name


def test_two_spellings_of_one_name_are_one_user(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser(**PROXY, operators="Ame\u0301lie")
    for spelling in ("Am\u00e9lie", "Ame\u0301lie"):
        header = {"X-Forwarded-User": spelling.encode().decode("latin-1")}
        assert site.get("/api/v1/status", **header)["user_id"] == "Am\u00e9lie"
        assert site.client.get("/operations", headers=header).status_code == 200


@pytest.mark.parametrize(
    "header",
    [
        "Jos\xe9",  # latin-1, not UTF-8
        "x" * 201,
        "ада\u202e".encode().decode("latin-1"),  # turns the writing round
        "a\u0000b",
        "a\tb",
    ],
)
def test_a_name_that_cannot_be_one_is_refused(
    make_browser: Callable[..., Browser], header: str
) -> None:
    answer = make_browser(**PROXY).client.get(
        "/api/v1/status", headers={"X-Forwarded-User": header}
    )
    assert (answer.status_code, code_of(answer)) == (400, "invalid_request")


@pytest.mark.parametrize("header", ["", "   ", "\u00a0".encode().decode("latin-1")])
def test_no_name_is_nobody(make_browser: Callable[..., Browser], header: str) -> None:
    answer = make_browser(**PROXY).client.get(
        "/api/v1/status", headers={"X-Forwarded-User": header}
    )
    assert (answer.status_code, code_of(answer)) == (401, "not_signed_in")


def test_a_proxy_is_known_in_either_form(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser(**PROXY)
    for address in ("127.0.0.1", "::ffff:127.0.0.1"):
        answer = site.client.get(
            "/api/v1/status",
            headers={"X-Forwarded-User": "ada"},
            environ_base={"REMOTE_ADDR": address},
        )
        assert answer.status_code == 200
    other = site.client.get("/api/v1/status", environ_base={"REMOTE_ADDR": "::1"})
    assert other.status_code == 403
