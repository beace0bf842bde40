"""Which process of a run gets which tests."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.scheduling import BEGINNING_WITH_THE_PAGE, Scheduling

PAGE = [f"tests/e2e/page/test_{n}.py::test_a" for n in range(20)]
SITES = [f"tests/e2e/test_{n}.py::test_a" for n in range(10)]
OTHERS = [f"tests/unit/test_{n}.py::test_a" for n in range(10)]


class Process:
    """A process of the run, as the scheduler sees it."""

    shutting_down = False

    def __init__(self) -> None:
        self.gateway = SimpleNamespace(id="gw")
        self.tests: list[int] = []

    def send_runtest_some(self, indices: list[int]) -> None:
        self.tests += indices

    def shutdown(self) -> None:
        pass


def begin(tests: list[str], count: int) -> list[list[str]]:
    """The tests that each process is given first."""
    option = SimpleNamespace(loadscopereorder=True)
    config: Any = SimpleNamespace(
        option=option, getvalue={"tx": ["popen"] * count, "maxprocesses": None}.get
    )
    scheduling = Scheduling(config, SimpleNamespace(loadscopesched=lambda *_: None))
    processes: list[Any] = [Process() for _ in range(count)]
    for process in processes:
        scheduling.add_node(process)
        scheduling.add_node_collection(process, tests)
    scheduling.schedule()
    return [[tests[index] for index in process.tests] for process in processes]


def test_few_processes_begin_with_the_page_and_the_others_with_what_waits() -> None:
    first, second, *others = begin(OTHERS + PAGE + SITES, 4)
    assert BEGINNING_WITH_THE_PAGE == 2
    assert {*first, *second} < set(PAGE)
    assert {test for tests in others for test in tests} < set(SITES)


def test_after_the_page_some_compute_while_others_wait() -> None:
    first, second, *others = begin(OTHERS + SITES, 4)
    assert {*first, *second} < set(OTHERS)
    assert {test for tests in others for test in tests} < set(SITES)


@pytest.mark.parametrize("tests", [PAGE, SITES, OTHERS])
def test_all_help_where_nothing_else_is_left(tests: list[str]) -> None:
    given_tests = begin(tests, 4)
    assert all(given_tests)
    assert {test for some in given_tests for test in some} < set(tests)
