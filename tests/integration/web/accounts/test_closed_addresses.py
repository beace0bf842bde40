"""Who may not do something is told the same of an account that is there and of one that is not."""

from __future__ import annotations

import re

import pytest
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from tests.integration.web.accounts.conftest import AccountSite, Person


def list_closed_rules(site: AccountSite) -> list[Rule]:
    """The addresses for operators that take something."""
    app = site.browser.client.application
    return [
        rule
        for rule in app.url_map.iter_rules()
        if rule.arguments and "operate" in getattr(app.view_functions[rule.endpoint], "scopes", ())
    ]


def list_strangers(site: AccountSite) -> dict[str, Person]:
    ada, olga = site.user("Ada"), site.operator("Olga")
    strangers = {"nobody": site.person(""), "a user": ada}
    for name, owner in (("a user's program", ada), ("an operator's program", olga)):
        answer = owner.client.post("/api/v1/tokens", json={"name": "x", "scopes": ["chat"]})
        token = answer.get_json()["token"]
        strangers[name] = site.person("", Authorization=f"Bearer {token}")
    return strangers | {"a wrong token": site.person("", Authorization="Bearer tl_wrong")}


@pytest.mark.parametrize(
    "stranger", ["nobody", "a user", "a user's program", "an operator's program", "a wrong token"]
)
def test_a_closed_address_tells_nothing_of_an_id(site: AccountSite, stranger: str) -> None:
    people = list_strangers(site)
    person = people[stranger]
    ids = (people["a user"].user_id(), f"acct_{'0' * 32}", "nonsense")
    rules = list_closed_rules(site)
    assert {"account_id", "model_id"} <= {name for rule in rules for name in rule.arguments}
    for rule in rules:
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            answers = {describe(ask(person, method, rule, account_id)) for account_id in ids}
            assert len(answers) == 1, (method, rule.rule, answers)
            [(status, *_)] = answers
            assert status in {302, 303, 401, 403}, (method, rule.rule, status)


def ask(person: Person, method: str, rule: Rule, account_id: str) -> TestResponse:
    values = {"account_id": account_id, "model_id": 7, "path": "tasks"}
    path = rule.rule
    for name in rule.arguments:
        path = re.sub(rf"<(\w+:)?{name}>", str(values[name]), path)
    is_json = path.startswith("/api/")
    return person.client.open(
        path,
        method=method,
        headers=person.headers,
        content_type="application/json" if is_json else None,
        buffered=True,
    )


def describe(answer: TestResponse) -> tuple[int, str, str]:
    headers = [
        f"{name}: {value}" for name, value in answer.headers if name not in {"X-Request-Id", "Date"}
    ]
    return (
        answer.status_code,
        answer.text.replace(answer.headers["X-Request-Id"], ""),
        "\n".join(headers),
    )
