"""`bin/page-tools` with a Python that only writes down what it was asked for."""

from __future__ import annotations

import shutil
import stat
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = """#!/bin/sh
case "$*" in
  *" ci "*)
    echo "$@" >> asked.txt
    rm -rf node_modules
    [ ! -f refused ] || exit 1
    mkdir node_modules ;;
esac
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of what `bin/page-tools` reads."""
    (tmp_path / "bin").mkdir()
    shutil.copy(ROOT / "bin/page-tools", tmp_path / "bin")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / name, tmp_path)
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(PYTHON)
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    return tmp_path


def install(project: Path) -> int:
    return subprocess.run([project / "bin/page-tools"], check=False, capture_output=True).returncode


def count_installs(project: Path) -> int:
    return len((project / "asked.txt").read_text().splitlines())


def test_what_is_installed_is_not_installed_again(project: Path) -> None:
    assert install(project) == install(project) == 0
    assert count_installs(project) == 1


def test_a_new_lock_is_installed(project: Path) -> None:
    install(project)
    with (project / "package-lock.json").open("a") as lock:
        lock.write("\n")
    assert install(project) == 0
    assert count_installs(project) == 2


def test_an_install_that_failed_is_tried_again(project: Path) -> None:
    (project / "refused").touch()
    assert install(project) != 0
    (project / "refused").unlink()
    assert install(project) == 0
    assert count_installs(project) == 2


def test_no_package_may_run_a_script_of_its_own(project: Path) -> None:
    install(project)
    assert "--ignore-scripts" in (project / "asked.txt").read_text()
