from __future__ import annotations

from pathlib import Path

import pytest

from supervisor.errors import StartError
from supervisor.procfile import parse_formation, parse_procfile, scale

PROJECT = Path(__file__).parents[3]


def test_commands_keep_their_order() -> None:
    assert list(parse_procfile("web: a\n\n# why\nbeat:   b --c d:e\n").items()) == [
        ("web", "a"),
        ("beat", "b --c d:e"),
    ]


@pytest.mark.parametrize("text", ["web", "web:", ": a", "two words: a", "web: a\nweb: b"])
def test_a_line_that_is_no_new_command_is_named(text: str) -> None:
    with pytest.raises(StartError, match=r"Procfile, line \d"):
        parse_procfile(text)


def test_our_own_procfile_starts_the_page_first() -> None:
    commands = parse_procfile((PROJECT / "Procfile").read_text())
    assert list(commands) == [
        "web", "worker-llm", "worker-embed", "beat", "flower", "worker-backup",
    ]  # fmt: skip


def test_our_workers_may_run_many_times_on_one_machine() -> None:
    commands = parse_procfile((PROJECT / "Procfile").read_text())
    assert all("-$$@%h" in commands[name] for name in commands if "worker" in name)


def test_no_password_is_on_a_command_line() -> None:
    commands = parse_procfile((PROJECT / "Procfile").read_text())
    assert "auth" not in commands["flower"]


def test_each_command_runs_once_by_default() -> None:
    assert scale({"web": "a", "worker": "b"}, {}) == {"web": "a", "worker": "b"}


def test_a_formation_numbers_and_leaves_out() -> None:
    scaled = scale({"web": "a", "worker": "b", "flower": "c"}, {"worker": 2, "flower": 0})
    assert scaled == {"web": "a", "worker.1": "b", "worker.2": "b"}


def test_a_formation_is_read_from_text() -> None:
    assert parse_formation(" worker-llm=2, flower=0 ,") == {"worker-llm": 2, "flower": 0}


@pytest.mark.parametrize("text", ["worker", "worker=", "worker=-1", "worker=two"])
def test_a_formation_without_a_number_is_refused(text: str) -> None:
    with pytest.raises(StartError, match="FORMATION"):
        parse_formation(text)


def test_a_formation_of_what_does_not_exist_is_refused() -> None:
    with pytest.raises(StartError, match="wroker"):
        scale({"worker": "b"}, {"wroker": 2})
