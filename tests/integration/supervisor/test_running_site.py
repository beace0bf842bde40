from __future__ import annotations

from pathlib import Path

from shared.settings import read_settings
from supervisor.lock import hold_lock
from supervisor.running_site import find_urls


def test_the_services_of_a_running_site_are_found(tmp_path: Path) -> None:
    settings = read_settings(data_dir=tmp_path, database_url="", redis_url="")

    with hold_lock(tmp_path, "http://127.0.0.1:8017"):
        urls = find_urls(settings)

    assert urls["PORT"] == "8017"

    assert urls["DATABASE_URL"].startswith("postgresql://throughline_app@")
    assert urls["MIGRATION_DATABASE_URL"] != urls["DATABASE_URL"]
    assert urls["REDIS_URL"].endswith("valkey.sock?db=0")


def test_a_service_that_has_an_address_is_not_looked_for(tmp_path: Path) -> None:
    settings = read_settings(data_dir=tmp_path, database_url="", redis_url="redis://elsewhere")

    with hold_lock(tmp_path, "http://127.0.0.1:8000"):
        assert "REDIS_URL" not in find_urls(settings)


def test_no_site_is_found_where_none_runs(tmp_path: Path) -> None:
    settings = read_settings(data_dir=tmp_path, database_url="", redis_url="")
    assert find_urls(settings) == {}

    with hold_lock(tmp_path, "http://127.0.0.1:8000"):
        pass
    assert find_urls(settings) == {}
    assert find_urls(settings.model_copy(update={"data_dir": tmp_path / "missing"})) == {}
