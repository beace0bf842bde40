"""`throughline backup` of a site in use."""

from __future__ import annotations

from pathlib import Path

from tests.integration.operator.conftest import WORDS, Run


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


def test_a_database_that_goes_away_leaves_no_half_backup(run_at: Run, tmp_path: Path) -> None:
    nobody = "postgresql://throughline@127.0.0.1:1/nothing"
    assert run_at("backup", str(tmp_path / "backups"), url=nobody).exit_code == 2
    assert list((tmp_path / "backups").iterdir()) == []
