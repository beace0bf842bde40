"""The folders in which processes count together."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

COUNT = """
import sys
from pathlib import Path
from shared.metrics.exporter import share_counters
share_counters(Path(sys.argv[1]))
from shared.metrics.counters import PASSED_OVER
PASSED_OVER.inc()
print("counted", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """A process that has counted, and waits."""
    started: list[subprocess.Popen[bytes]] = []

    def start_one() -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", COUNT, str(tmp_path)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == b"counted\n"
        return process

    yield start_one
    for process in started:
        process.kill()
        process.communicate()


def test_a_folder_goes_with_its_process_or_at_the_next_start_if_that_was_killed(
    start: Callable[[], subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    def folders() -> set[Path]:
        return set((tmp_path / "metrics").iterdir())

    killed = start()
    of_killed = folders()
    start()
    of_running = folders() - of_killed
    killed.kill()
    killed.wait()
    assert folders() == of_killed | of_running
    ending = start()
    assert len(folders()) == 2
    assert folders() > of_running
    assert folders().isdisjoint(of_killed)
    ending.communicate(timeout=30)
    assert folders() == of_running
