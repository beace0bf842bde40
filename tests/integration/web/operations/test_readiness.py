"""Why a web process is not ready: at `/readyz`, and once in the log."""

from __future__ import annotations

import threading

import pytest

from migrations import upgrade
from migrations.roles import grant_application
from shared.db import execute
from shared.services import Services as Product
from tests.integration.web.conftest import MakeBrowser
from tests.services import MakeSettings, as_application, as_owner
from tests.waiting import wait_for
from web.operations.readiness import ReadinessCheck


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("postgresql://x@127.0.0.1:1/x", "not_reachable"),
        ("{}", "no_schema"),
        ("{nobody}", "password_refused"),
        ("{nowhere}", "no_database"),
    ],
)
def test_a_site_that_cannot_serve_says_why(
    make_browser: MakeBrowser, empty_database_url: str, address: str, reason: str
) -> None:
    user, _, rest = empty_database_url.partition("@")
    url = address.format(
        empty_database_url,
        nobody=f"postgresql://nobody@{rest}",
        nowhere=f"{user}@/nowhere?{rest.partition('?')[2]}",
    )
    answer = make_browser(database_url=url).client.get("/readyz")
    assert answer.status_code == 503
    assert answer.get_json() == {"ready": False, "reason": reason, "schema": None, "redis": True}


@pytest.mark.changes_schema
def test_a_schema_that_is_too_old_is_told(make_browser: MakeBrowser) -> None:
    browser = make_browser()
    with as_owner(browser.context.services) as connection:
        execute(connection, "UPDATE alembic_version SET version_num = '0001'")
    answer = browser.client.get("/readyz").get_json()
    assert (answer["reason"], answer["schema"]) == ("old_schema", "0001")


def test_each_change_is_one_line_of_the_log(
    make_settings: MakeSettings, empty_database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    product = Product(make_settings(database_url=as_application(empty_database_url)))
    check = ReadinessCheck(product)
    with caplog.at_level("INFO", "web.operations.readiness"):
        reasons = [check.read().reason for _ in range(3)]
        upgrade(empty_database_url)
        grant_application(empty_database_url, as_application(empty_database_url))
        reasons += [check.read().reason for _ in range(2)]
    product.close()
    assert reasons == ["no_schema"] * 3 + [None] * 2
    assert [line.message for line in caplog.records] == ["site.not_ready", "site.ready"]
    assert caplog.records[0].__dict__["reason"] == "no_schema"


def test_a_start_is_watched_until_it_is_ready(
    make_settings: MakeSettings, empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.operations.readiness.PATIENCE_S", 0.05)
    product = Product(make_settings(database_url=empty_database_url))
    leaving = threading.Event()
    watch = threading.Thread(target=ReadinessCheck(product).watch, args=(leaving,))
    watch.start()
    upgrade(empty_database_url)
    wait_for(lambda: not watch.is_alive())
    leaving.set()
    product.close()
