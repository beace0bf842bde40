"""Answers that a browser brings back from an OpenID provider, to no question or once more."""

from __future__ import annotations

import pytest

from tests.fakes.oidc_server import FakeProvider
from tests.integration.web.accounts.oidc import MakeSite, begin, come_back, liar, make_site

__all__ = ["liar"]


@pytest.mark.parametrize(
    ("announces", "issuers", "status"),
    [
        (False, ["{}"], 303),
        (True, ["{}"], 303),
        (True, [], 403),
        (False, ["{}/"], 403),
        (False, [""], 403),
        (False, ["https://evil.example"], 403),
        (True, ["https://evil.example"], 403),
        (False, ["{}", "https://evil.example"], 403),
        (False, ["{}", "{}"], 403),
    ],
)
def test_an_answer_that_names_its_provider_must_name_this_one(
    make_account_site: MakeSite,
    liar: FakeProvider,
    announces: bool,
    issuers: list[str],
    status: int,
) -> None:
    liar.announces_issuer = announces
    ada = make_site(make_account_site, liar.issuer).person("")
    parameters = "".join(f"&iss={issuer.format(liar.issuer)}" for issuer in issuers)
    assert come_back(ada, liar, code=f"a-code{parameters}").status_code == status
    assert ada.is_signed_in() == (status == 303)


def test_an_old_id_token_signs_nobody_in_again(
    make_account_site: MakeSite, liar: FakeProvider
) -> None:
    site = make_site(make_account_site, liar.issuer)
    ada, eve = site.person(""), site.person("")
    assert come_back(ada, liar).status_code == 303
    former = liar.token()["id_token"]
    liar.forge = lambda *_: former
    for person in (ada, eve):
        assert come_back(person, liar).status_code == 403
    assert not eve.is_signed_in()


def test_a_copy_of_the_cookie_does_not_let_an_answer_count_again(
    make_account_site: MakeSite, liar: FakeProvider
) -> None:
    site = make_site(make_account_site, liar.issuer)
    ada, eve = site.person(""), site.person("")
    request = begin(ada)
    liar.nonce = request["nonce"]
    [cookie] = (ada.client._cookies or {}).values()
    eve.client.set_cookie(cookie.key, cookie.value)
    back = f"/account/oidc/callback?code=a-code&state={request['state']}"
    assert ada.get(back).status_code == 303
    assert eve.get(back).status_code == 403
    assert not eve.is_signed_in()


@pytest.mark.parametrize(
    "changed", [{"state": "another"}, {"state": ""}, {"error": "access_denied"}, {"code": ""}]
)
def test_an_answer_to_no_question_of_this_browser_signs_nobody_in(
    make_account_site: MakeSite, liar: FakeProvider, changed: dict[str, str]
) -> None:
    eve = make_site(make_account_site, liar.issuer).person("")
    if changed == {"code": ""}:
        liar.claims = {"sub": None}
    assert come_back(eve, liar, **changed).status_code == 403
    assert not eve.is_signed_in()


def test_nobody_is_signed_in_by_an_address_that_another_browser_began(
    make_account_site: MakeSite, liar: FakeProvider
) -> None:
    """Else somebody could sign a victim in as themself."""
    site = make_site(make_account_site, liar.issuer)
    eve, victim = site.person(""), site.person("")
    request = begin(eve)
    liar.nonce = request["nonce"]
    answer = victim.get(f"/account/oidc/callback?code=a-code&state={request['state']}")
    assert answer.status_code == 403
    assert not victim.is_signed_in()


def test_an_answer_counts_once(make_account_site: MakeSite, liar: FakeProvider) -> None:
    ada = make_site(make_account_site, liar.issuer).person("")
    request = begin(ada)
    liar.nonce = request["nonce"]
    back = f"/account/oidc/callback?code=a-code&state={request['state']}"
    assert ada.get(back).status_code == 303
    assert ada.get(back).status_code == 403
