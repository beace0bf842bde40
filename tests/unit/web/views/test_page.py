"""What a first visit is told of where things are."""

from __future__ import annotations

import pytest

from shared.settings import STAND_IN_MODEL, Settings
from tests.fakes.site_models import HOSTED
from web.views.page import find_whereabouts


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("postgresql:///throughline?host=/tmp/run", "machine"),
        ("postgresql://me:secret@127.0.0.1:5432/db", "machine"),
        ("postgresql://[::1]/db", "machine"),
        ("postgresql://localhost/db", "machine"),
        ("postgresql://me:secret@db.lan/db", "host"),
    ],
)
def test_whoever_runs_the_site_is_told_where_postgres_is(url: str, place: str) -> None:
    whereabouts = find_whereabouts(Settings(database_url=url))
    assert whereabouts.place_of_data == place
    assert "secret" not in whereabouts.host


def test_people_with_accounts_are_told_no_host() -> None:
    settings = Settings(
        database_url="postgresql://db.lan/db", auth_mode="proxy", trusted_proxies=("127.0.0.1",)
    )
    assert find_whereabouts(settings).place_of_data == "site"


def test_the_models_of_operators_are_named() -> None:
    whereabouts = find_whereabouts(Settings().with_models((HOSTED,)))
    assert (whereabouts.sent, whereabouts.models) == ("model", "Hosted")


def test_models_are_named_once_and_the_stand_in_is_none() -> None:
    assert find_whereabouts(Settings()).sent == "stand_in"
    both = find_whereabouts(Settings(llm_model="gpt-4o", memory_model="gpt-4o-mini"))
    assert (both.sent, both.models) == ("model", "gpt-4o, gpt-4o-mini")
    assert find_whereabouts(Settings(llm_model="gpt-4o")).models == "gpt-4o"
    mixed = find_whereabouts(Settings(llm_model="gpt-4o", memory_model=STAND_IN_MODEL))
    assert mixed.models == "gpt-4o"
