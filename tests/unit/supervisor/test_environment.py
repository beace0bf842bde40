from __future__ import annotations

import sys
from pathlib import Path

from supervisor.environment import process_environment


def test_numeric_libraries_get_one_thread() -> None:
    environment = process_environment({}, {}, may_download=False)
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    assert [environment[name] for name in names] == ["1", "1", "1"]


def test_threads_share_their_arenas_of_memory() -> None:
    environment = process_environment({}, {}, may_download=False)
    assert environment["MALLOC_ARENA_MAX"] == "2"


def test_what_a_person_set_wins_over_defaults() -> None:
    environment = process_environment({"OMP_NUM_THREADS": "4"}, {}, may_download=False)
    assert environment["OMP_NUM_THREADS"] == "4"


def test_the_addresses_of_our_services_win_over_all() -> None:
    inherited = {"DATABASE_URL": ""}
    environment = process_environment(inherited, {"DATABASE_URL": "ours"}, may_download=False)
    assert environment["DATABASE_URL"] == "ours"


def test_models_are_not_fetched_unless_asked_for() -> None:
    assert process_environment({}, {}, may_download=False)["HF_HUB_OFFLINE"] == "1"
    assert "HF_HUB_OFFLINE" not in process_environment({}, {}, may_download=True)


def test_the_programs_of_this_python_come_first() -> None:
    environment = process_environment({"PATH": "/elsewhere"}, {}, may_download=False)
    assert environment["PATH"] == f"{Path(sys.executable).parent}:/elsewhere"
