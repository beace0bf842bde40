"""Which integration tests `make quick` runs, in a small repository of their own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "bin" / "changed-tests"
FOLDER = "tests/integration"
FILES = {
    "shared/recall/search.py": "",
    "shared/policy/window.py": "",
    "migrations/0001_begin.py": "",
    "docs/testing.md": "",
    f"{FOLDER}/conftest.py": "",
    f"{FOLDER}/recall/test_search.py": "",
    f"{FOLDER}/rounds/test_rounds.py": "from shared.policy.window import room",
    f"{FOLDER}/store/test_claims.py": "from shared.policy import claims, window",
    f"{FOLDER}/store/test_windows.py": "from shared.policy import windows",
    f"{FOLDER}/test_schema.py": "",
}


def run(folder: Path, *command: str) -> str:
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def commit(repository: Path) -> None:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    run(repository, "git", "add", ".")
    run(repository, "git", *identity, "commit", "--quiet", "-m", "Change")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    run(tmp_path, "git", "init", "--quiet")
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "bin").mkdir()
    shutil.copy(SCRIPT, tmp_path / "bin")
    commit(tmp_path)
    return tmp_path


def selection(repository: Path) -> list[str]:
    return run(repository, "bin/changed-tests").split()


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("shared/recall/search.py", [f"{FOLDER}/recall"]),
        (
            "shared/policy/window.py",
            [f"{FOLDER}/rounds/test_rounds.py", f"{FOLDER}/store/test_claims.py"],
        ),
        ("migrations/0001_begin.py", [f"{FOLDER}/test_schema.py"]),
        (f"{FOLDER}/store/test_claims.py", [f"{FOLDER}/store"]),
        (f"{FOLDER}/conftest.py", [FOLDER]),
        ("docs/testing.md", []),
    ],
)
def test_tests_follow_what_has_changed_whether_committed_or_not(
    repository: Path, file: str, tests: list[str]
) -> None:
    (repository / file).write_text("# changed\n" + FILES[file])
    assert selection(repository) == tests
    commit(repository)
    assert selection(repository) == tests


def test_all_tests_are_selected_where_there_is_no_earlier_commit(repository: Path) -> None:
    assert selection(repository) == [FOLDER]
