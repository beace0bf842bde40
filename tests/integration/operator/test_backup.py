"""`throughline backup` of a site in use, and `restore` into an empty one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shared.db import execute
from shared.services import Services as Product
from tests.integration.conversing import Conversing
from tests.integration.worker import count_rows, work_off
from tests.services import MakeSettings, Services, as_application, as_owner, owner_url
from throughline.__main__ import main

Run = Callable[..., Result]
WORDS = "seven grey geese"
MARKER = "The marker of this chat is heron-4711."

pytestmark = pytest.mark.usefixtures("quick_seals")


@pytest.fixture
def run(product: Product, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
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
def backup_folder(run: Run, product: Product, tmp_path: Path) -> Path:
    """The folder of a backup of a site that two people use."""
    for city in ("Oslo", "Rome"):
        Conversing(product).round(f"I live in {city}. {MARKER}")
    work_off(product)
    Conversing(product).round("This one waits for its facts to be read.")
    with as_owner(product) as connection:
        execute(connection, "UPDATE fact_extractions SET created_at = now() - interval '1 day'")
    (tmp_path / "original").mkdir()
    (tmp_path / "original/.env").write_text("MISTRAL_API_KEY=sk-secret\n")
    result = run("backup", str(tmp_path / "backups"), "--json")
    assert result.exit_code == 0, result.output
    return Path(json.loads(result.stdout)["folder"])


@pytest.fixture
def empty_site(services: Services) -> Iterator[str]:
    with services.databases.copy() as url:
        yield url


def test_what_was_backed_up_comes_back_whole(
    run: Run, product: Product, backup_folder: Path, empty_site: str, make_settings: MakeSettings
) -> None:
    tmp_path = backup_folder.parents[1]
    key = (tmp_path / "original/secret-key").read_text()
    result = run("restore", str(backup_folder), url=empty_site)
    assert result.exit_code == 0, result.output
    restored = Product(make_settings(database_url=as_application(empty_site)))
    assert count_rows(restored) == count_rows(product)
    with as_owner(restored) as connection:
        count = execute(connection, "SELECT FROM messages WHERE content ~ 'heron-4711'")
        assert count >= 2
    assert (tmp_path / "restored/secret-key").read_text() == key
    assert (tmp_path / "restored/.env").read_text() == "MISTRAL_API_KEY=sk-secret\n"
    assert (tmp_path / "restored/.env").stat().st_mode & 0o777 == 0o600
    Conversing(restored).round("And life goes on.")
    work_off(restored)
    restored.close()
    assert run("verify", url=empty_site).exit_code == 0


def test_a_backup_shows_no_secret_and_is_its_owners_alone(
    backup_folder: Path, tmp_path: Path
) -> None:
    key = (tmp_path / "original/secret-key").read_text().strip()
    content = b"".join(path.read_bytes() for path in backup_folder.iterdir())
    for secret in (key, "sk-secret", WORDS):
        assert secret.encode() not in content
    assert backup_folder.stat().st_mode & 0o777 == 0o700
    assert sorted(path.name for path in backup_folder.iterdir()) == [
        "database.dump", "manifest.json", "secrets.json",
    ]  # fmt: skip
    assert [path.name for path in backup_folder.parent.iterdir()] == [backup_folder.name]


def test_a_backup_without_secrets_asks_for_no_passphrase_and_says_so(
    run: Run, backup_folder: Path, empty_site: str
) -> None:
    """As schedules make them where BACKUP_PASSPHRASE is not set."""
    (backup_folder / "secrets.json").unlink()
    manifest = json.loads((backup_folder / "manifest.json").read_text())
    del manifest["sha256"]["secrets.json"]
    (backup_folder / "manifest.json").write_text(json.dumps(manifest))
    result = run("restore", str(backup_folder), url=empty_site, passphrase="")
    assert (result.exit_code, "The backup has no secrets" in result.output) == (0, True)


def test_another_passphrase_changes_nothing(run: Run, backup_folder: Path, empty_site: str) -> None:
    result = run("restore", str(backup_folder), url=empty_site, passphrase="another")
    assert (result.exit_code, "passphrase is another one" in result.output) == (2, True)
    assert run("verify", url=empty_site).exit_code == 0


def test_a_damaged_backup_changes_nothing(run: Run, backup_folder: Path, empty_site: str) -> None:
    with (backup_folder / "database.dump").open("r+b") as file:
        file.seek(2000)
        file.write(b"\x00\x01\x02\x03")
    result = run("restore", str(backup_folder), url=empty_site)
    assert (result.exit_code, "database.dump is missing or damaged" in result.output) == (2, True)
    shutil.rmtree(backup_folder)
    assert "is no backup" in run("restore", str(backup_folder), url=empty_site).output


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"schema_revision": "9999"}, "of a newer version"),
        ({"embedding_model": "another"}, "set EMBEDDING_MODEL"),
        ({"format": 99}, "written by a newer version"),
    ],
)
def test_a_backup_that_does_not_fit_changes_nothing(
    run: Run, backup_folder: Path, empty_site: str, change: dict[str, object], reason: str
) -> None:
    manifest = json.loads((backup_folder / "manifest.json").read_text()) | change
    (backup_folder / "manifest.json").write_text(json.dumps(manifest))
    result = run("restore", str(backup_folder), url=empty_site)
    assert (result.exit_code, reason in result.output) == (2, True)


def test_a_site_with_anything_in_it_is_left_alone(
    run: Run, backup_folder: Path, product: Product
) -> None:
    before = count_rows(product)
    result = run("restore", str(backup_folder))
    assert (result.exit_code, "This site is not empty" in result.output) == (2, True)
    assert count_rows(product) == before


def test_a_database_that_goes_away_leaves_no_half_backup(run: Run, tmp_path: Path) -> None:
    nobody = "postgresql://throughline@127.0.0.1:1/nothing"
    assert run("backup", str(tmp_path / "backups"), url=nobody).exit_code == 2
    assert list((tmp_path / "backups").iterdir()) == []
