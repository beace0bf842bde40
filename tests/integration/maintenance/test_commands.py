"""What a person reads when a command cannot do its work: a sentence, and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = (
    "throughline verify",
    "migrations --wait 0.1",
    "migrations downgrade base",
    "throughline reembed",
    "throughline migrate --wait 0.1",
)
SETTINGS = {"REDIS_URL": "redis://127.0.0.1:1"}
NOBODY_LISTENS = "postgresql://nobody@127.0.0.1:1/nothing"


def run(command: str, **environment: str) -> tuple[int, str]:
    """Exit code, and what was said on either output."""
    done = subprocess.run(
        [sys.executable, "-m", *command.split()],
        env=os.environ | SETTINGS | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_without_a_database_it_says_what_is_missing(command: str, tmp_path: Path) -> None:
    code, output = run(command, DATA_DIR=str(tmp_path))
    assert (code == 0, "Traceback" in output) == (False, False)
    assert "DATABASE_URL" in output


@pytest.mark.parametrize("command", COMMANDS)
def test_a_database_that_does_not_answer_is_told_in_a_sentence(command: str) -> None:
    code, output = run(command, DATABASE_URL=NOBODY_LISTENS)
    assert (code, "Traceback" in output) == (2, False)
    assert "Connection refused" in output


@pytest.mark.parametrize("command", COMMANDS)
def test_an_address_that_is_none_is_told_by_the_variables_name(command: str) -> None:
    code, output = run(command, DATABASE_URL="somewhere")
    assert (code, output) == (1, "DATABASE_URL: must begin with postgresql://\n")


@pytest.mark.parametrize("command", ["throughline verify", "throughline reembed"])
def test_a_database_without_tables_is_told_in_a_sentence(
    command: str, empty_database_url: str
) -> None:
    code, output = run(command, DATABASE_URL=empty_database_url)
    assert (code, "Traceback" in output) == (2, False)
    assert "does not exist" in output


def test_a_revision_that_there_is_not_is_told_in_a_sentence(database_url: str) -> None:
    code, output = run("migrations downgrade nonsense", DATABASE_URL=database_url)
    assert (code, "Traceback" in output) == (2, False)
    assert "nonsense" in output
