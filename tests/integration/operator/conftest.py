"""A site that was used, its backup, and the command that makes and restores them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shared.db import execute
from shared.services import Services as Product
from tests.integration.conversing import Conversing
from tests.integration.worker import work_off
from tests.services import Services, as_application, as_owner, owner_url
from throughline.__main__ import main

Run = Callable[..., Result]
WORDS = "seven grey geese"
MARKER = "The marker of this chat is heron-4711."


@pytest.fixture
def run_at(product: Product, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command in a folder without `.env`, on the site of the test or at `url`."""
    runner = CliRunner()

    def invoke(*words: str, url: str = "", passphrase: str = WORDS) -> Result:
        data_dir = tmp_path / ("restored" if url else "original")
        data_dir.mkdir(exist_ok=True)
        monkeypatch.chdir(data_dir)
        environment = {
            "DATABASE_URL": as_application(url) or product.settings.database_url,
            "MIGRATION_DATABASE_URL": url or owner_url(product.settings.database_url),
            "REDIS_URL": product.settings.redis_url,
            "DATA_DIR": str(data_dir),
            "BACKUP_PASSPHRASE": passphrase,
        }
        return runner.invoke(main, words, env=environment)

    return invoke


@pytest.fixture
def backup_folder(quick_seals: None, run_at: Run, product: Product, tmp_path: Path) -> Path:
    """The folder of a backup of a site that two people use."""
    for city in ("Oslo", "Rome"):
        Conversing(product).round(f"I live in {city}. {MARKER}")
    work_off(product)
    Conversing(product).round("This one waits for its facts to be read.")
    with as_owner(product) as connection:
        execute(connection, "UPDATE fact_extractions SET created_at = now() - interval '1 day'")
    (tmp_path / "original").mkdir()
    (tmp_path / "original/.env").write_text("MISTRAL_API_KEY=sk-secret\n")
    result = run_at("backup", str(tmp_path / "backups"), "--json")
    assert result.exit_code == 0, result.output
    return Path(json.loads(result.stdout)["folder"])


@pytest.fixture
def empty_site(services: Services) -> Iterator[str]:
    with services.databases.copy() as url:
        yield url
