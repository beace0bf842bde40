"""What operators do with accounts, and one-time links for new passwords."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner

from shared.db import Row, execute, fetch_row, fetch_rows
from shared.services import current_services
from tests.integration.web.accounts.conftest import PASSWORD, AccountSite, Person, make_link
from tests.services import as_owner
from tests.waiting import wait_for
from web.accounts.__main__ import main

NEW = "rows across the lake"


def set_password(person: Person, link: str, password: str = NEW) -> int:
    token = link.rsplit("link=", maxsplit=1)[-1]
    page = person.get(f"/account/reset?link={token}")
    if page.status_code != 200:
        return page.status_code
    fields = {"link": token, "password": password, "again": password}
    return person.submit("/account/sign-in", "/account/reset", **fields).status_code


def make_reset(operator: Person, of: Person) -> str:
    return make_link(operator, f"/account/people/{of.user_id()}/reset")


def test_an_operators_link_sets_a_password_once_and_ends_all_sessions(site: AccountSite) -> None:
    olga = site.operator("Olga")
    ada = site.user("Ada")
    link = make_reset(olga, ada)
    stranger = site.person("Ada")
    assert set_password(stranger, link) == 303
    assert not ada.is_signed_in()
    assert not stranger.is_signed_in(), "the link signs nobody in"
    assert site.person("Ada").sign_in().status_code == 401
    assert site.person("Ada").sign_in(NEW).status_code == 303
    assert set_password(site.person("Eve"), link, "another password") == 403


def test_a_weak_password_leaves_the_link_good(site: AccountSite) -> None:
    olga = site.operator("Olga")
    link = make_reset(olga, site.user("Ada"))
    assert set_password(site.person(""), link, "short") == 400
    assert set_password(site.person(""), link) == 303


def test_of_many_who_use_a_link_at_once_one_sets_the_password(site: AccountSite) -> None:
    olga = site.operator("Olga")
    link = make_reset(olga, site.user("Ada"))
    tried = [f"password number {number}" for number in range(4)]
    people = [site.person("Ada") for _ in tried]
    with ThreadPoolExecutor(4) as pool:
        codes = list(
            pool.map(
                lambda pair: set_password(pair[0], link, pair[1]), zip(people, tried, strict=True)
            )
        )
    assert sorted(codes) == [303] + [403] * 3
    good = [p for p in tried if site.person("Ada").sign_in(p).status_code == 303]
    assert good == [tried[codes.index(303)]]


def test_links_end_and_a_new_one_replaces_the_last(site: AccountSite) -> None:
    olga = site.operator("Olga")
    ada = site.user("Ada")
    first, second = make_reset(olga, ada), make_reset(olga, ada)
    assert set_password(site.person(""), first) == 403
    with as_owner(site.browser.context.services) as connection:
        execute(connection, "UPDATE account_links SET expires_at = now() - interval '1 s'")
    assert set_password(site.person(""), second) == 403


def test_the_database_holds_no_link_that_anybody_could_use(site: AccountSite) -> None:
    olga = site.operator("Olga")
    token = make_link(olga).rsplit("link=", maxsplit=1)[-1]
    with as_owner(site.browser.context.services) as connection:
        [row] = fetch_rows(connection, "SELECT l::text FROM account_links l")
    assert token not in row["l"]


@pytest.mark.shares_sites
@pytest.mark.parametrize("purpose", ["invite", "reset"])
def test_a_link_is_good_for_its_purpose_alone(site: AccountSite, purpose: str) -> None:
    olga = site.operator("Olga")
    ada = site.user("Ada")
    link = make_link(olga) if purpose == "invite" else make_reset(olga, ada)
    token = link.rsplit("link=", maxsplit=1)[-1]
    other = "reset" if purpose == "invite" else "sign-up"
    assert site.person("Eve").get(f"/account/{other}?link={token}").status_code == 403


def test_a_disabled_account_cannot_do_anything_until_it_is_enabled(site: AccountSite) -> None:
    olga = site.operator("Olga")
    ada = site.user("Ada")
    user_id = ada.user_id()
    answer = ada.client.post("/api/v1/tokens", json={"name": "cli", "scopes": ["memory:read"]})
    token = {"Authorization": f"Bearer {answer.get_json()['token']}"}
    program = site.person("", **token)
    assert program.is_signed_in()
    olga.submit("/account/people", f"/account/people/{user_id}/disable")
    assert not ada.is_signed_in()
    assert not program.is_signed_in()
    assert site.person("Ada").sign_in().status_code == 401
    olga.submit("/account/people", f"/account/people/{user_id}/enable")
    assert site.person("Ada").sign_in().status_code == 303
    assert not ada.is_signed_in(), "an ended session stays ended"
    assert program.is_signed_in()


def test_the_links_of_a_disabled_account_show_nothing_until_it_is_enabled(
    site: AccountSite,
) -> None:
    olga = site.operator("Olga")
    ada = site.user("Ada")
    ada_id = ada.user_id()
    chat = ada.client.post("/chat", json={"message": "My boat is called Albatross."}).get_json()
    answer = ada.client.post(f"/api/v1/conversations/{chat['conversation_id']}/shares", json={})
    link = answer.get_json()["path"]
    stranger = site.person("")
    assert "Albatross" in stranger.get(link).text
    olga.submit("/account/people", f"/account/people/{ada_id}/disable")
    assert stranger.get(link).status_code == 404
    olga.submit("/account/people", f"/account/people/{ada_id}/enable")
    assert "Albatross" in stranger.get(link).text


def test_an_operator_deletes_an_account_with_all_that_its_user_has(site: AccountSite) -> None:
    olga = site.operator("Olga")
    ada = site.user("Ada")
    user_id = ada.user_id()
    ada.client.post("/chat", json={"message": "My boat is called Albatross."})
    answer = ada.client.post("/api/v1/tokens", json={"name": "cli", "scopes": ["memory:read"]})
    program = site.person("", Authorization=f"Bearer {answer.get_json()['token']}")
    path = f"/account/people/{user_id}/delete"
    assert olga.submit("/account/people", path, confirm="Adam").status_code == 400
    assert ada.is_signed_in()
    assert olga.submit("/account/people", path, confirm="Ada").status_code == 303
    assert not ada.is_signed_in()
    assert not program.is_signed_in()
    assert user_id not in olga.get("/account/people").text
    with as_owner(site.browser.context.services) as connection:
        row = fetch_row(
            connection,
            """
            SELECT (SELECT count(*) FROM conversations WHERE user_id = %(own_id)s)
                 + (SELECT count(*) FROM users WHERE user_id = %(own_id)s) AS left
            """,
            own_id=user_id,
        )
    assert row == {"left": 0}
    assert site.user("Ada").user_id() != user_id


def test_people_delete_their_own_account(site: AccountSite) -> None:
    site.operator("Olga")
    ada = site.user("Ada")
    wrong = ada.submit("/account", "/account/delete", present="wrong", confirm="Ada")
    assert wrong.status_code == 400
    deleted = ada.submit("/account", "/account/delete", present=PASSWORD, confirm="Ada")
    assert deleted.status_code == 303
    assert not ada.is_signed_in()
    assert site.person("Ada").sign_in().status_code == 401


def test_who_deletes_everything_types_a_name_that_people_know(site: AccountSite) -> None:
    olga = site.operator("Olga")
    ada = site.user("Ada")
    assert ada.get("/api/v1/status").get_json()["user_name"] == "Ada"
    refused = ada.client.delete("/api/v1/me", json={"confirm": "Olga"})
    assert 400 <= refused.status_code < 500
    assert ada.client.delete("/api/v1/me", json={"confirm": "Ada"}).status_code == 200
    by_id = {"confirm": olga.user_id()}
    assert olga.client.delete("/api/v1/me", json=by_id).status_code == 200


@pytest.mark.shares_sites
@pytest.mark.parametrize("odd", ["%00", "acct_%00", "acct_1", "x" * 900])
def test_an_account_that_cannot_be_is_not_there(site: AccountSite, odd: str) -> None:
    olga = site.operator("Olga")
    for action in ("reset", "disable", "enable", "operator", "second-factor-off", "delete"):
        answer = olga.submit("/account/people", f"/account/people/{odd}/{action}", confirm="x")
        assert answer.status_code == 404, action


def test_the_last_operator_stays(site: AccountSite) -> None:
    olga = site.operator("Olga")
    gone = olga.submit("/account", "/account/delete", present=PASSWORD, confirm="Olga")
    assert gone.status_code == 409
    ada = site.user("Ada")
    path = f"/account/people/{ada.user_id()}/operator"
    assert olga.submit("/account/people", path, is_operator="true").status_code == 303
    assert ada.get("/account/people").status_code == 200
    paths = {
        olga.name: f"/account/people/{ada.user_id()}/disable",
        ada.name: f"/account/people/{olga.user_id()}/disable",
    }
    tokens = {person.name: person.token("/account/people") for person in (olga, ada)}
    with ThreadPoolExecutor(2) as pool:
        list(
            pool.map(
                lambda who: who.post(paths[who.name], csrf_token=tokens[who.name]), (olga, ada)
            )
        )
    assert sorted([olga.is_signed_in(), ada.is_signed_in()]) == [False, True]


def test_an_operator_who_is_none_any_more_loses_the_pages_at_once(site: AccountSite) -> None:
    olga = site.operator("Olga")
    ada = site.user("Ada")
    path = f"/account/people/{ada.user_id()}/operator"
    olga.submit("/account/people", path, is_operator="true")
    assert ada.get("/operations").status_code == 200
    olga.submit("/account/people", path, is_operator="false")
    assert ada.get("/operations").status_code == 403


def test_names_change_and_the_user_stays(site: AccountSite) -> None:
    site.operator("Olga")
    ada = site.user("Ada")
    user_id = ada.user_id()
    assert ada.submit("/account", "/account/name", name="OLGA").status_code == 409
    assert ada.submit("/account", "/account/name", name="Ada L").status_code == 303
    assert ada.user_id() == user_id
    assert site.person("ada l").sign_in().status_code == 303
    assert site.person("Ada").sign_in().status_code == 401


def test_an_api_token_opens_none_of_the_account_pages(site: AccountSite) -> None:
    olga = site.operator("Olga")
    answer = olga.client.post(
        "/api/v1/tokens", json={"name": "all", "scopes": ["chat", "memory:read", "operate"]}
    )
    program = site.person("", Authorization=f"Bearer {answer.get_json()['token']}")
    for page in ("/account", "/account/people"):
        assert program.get(page).status_code in {303, 401, 403}
    assert program.get("/operations").status_code == 200


def test_who_lost_everything_makes_a_link_from_the_shell(
    site: AccountSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = site.browser.context.services.settings
    for name in ("database_url", "redis_url", "auth_mode"):
        monkeypatch.setenv(name.upper(), str(getattr(settings, name)))
    shell: Callable[..., str] = lambda *words: CliRunner().invoke(main, words).output.strip()  # noqa: E731
    try:
        first = shell("setup-link")
        assert site.person("Olga").sign_up(first).status_code == 303
        assert "already" in shell("setup-link")
        assert set_password(site.person(""), shell("reset-link", "olga")) == 303
        assert "No account" in shell("reset-link", "nobody")
        assert site.person("Olga").sign_in(NEW).status_code == 303
    finally:
        current_services().close()
        current_services.cache_clear()


def test_the_audit_log_tells_what_was_done_with_accounts_and_by_whom(site: AccountSite) -> None:
    olga, ada = site.sign_up_operator("Olga"), site.person("Ada")
    ada.sign_up(make_link(olga))
    olga_id, ada_id = olga.user_id(), ada.user_id()
    site.person("Nobody").sign_in("a wrong password")
    site.person("Ada").sign_in("a wrong password")
    wait_for(lambda: "session.refuse" in list_actions(site))
    set_password(site.person(""), make_reset(olga, ada))
    olga.submit("/account/people", f"/account/people/{ada_id}/disable")
    entries = [(row["action"], row["user_id"], row["actor_id"]) for row in list_events(site)]
    of_accounts = [entry for entry in entries if not entry[0].endswith(".read")]
    assert of_accounts == [
        ("account.create", olga_id, olga_id),
        ("session.begin", olga_id, olga_id),
        ("account.invite", olga_id, olga_id),
        ("account.create", ada_id, ada_id),
        ("session.begin", ada_id, ada_id),
        ("session.refuse", ada_id, None),
        ("password.link", ada_id, olga_id),
        ("password.reset", ada_id, None),
        ("account.disable", ada_id, olga_id),
    ]


def list_events(site: AccountSite) -> list[Row]:
    with as_owner(site.browser.context.services) as connection:
        return fetch_rows(
            connection, "SELECT action, user_id, actor_id FROM audit_events ORDER BY event_id"
        )


def list_actions(site: AccountSite) -> set[str]:
    return {row["action"] for row in list_events(site)}
