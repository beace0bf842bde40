"""Ends what a supervisor left running that was itself killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress

from supervisor.identity import find_identity
from supervisor.order import leftover_limit_s, stop_stages
from supervisor.pid_files import PidFiles, Started


def end_leftovers(
    pid_files: PidFiles, say: Callable[[str], None], check: Callable[[], None]
) -> None:
    """Stage by stage as in an ordered stop; `check` may raise to end the waiting.

    A process that is not the one we started is spared.
    """
    started = {entry.name: entry for entry in pid_files.list_started()}
    for stage in stop_stages(started):
        running = [started[name] for name in stage if _runs(started[name])]
        for entry in running:
            say(f"ending {entry.name} (process {entry.pid}), left over from a killed run")
            with suppress(ProcessLookupError):
                os.kill(entry.pid, entry.stop_signal)
        for entry in running:
            _wait(entry, check)
        for name in stage:
            _kill_group(started[name])
            pid_files.remove(name)


def _runs(entry: Started) -> bool:
    return find_identity(entry.pid) == entry.identity


def _wait(entry: Started, check: Callable[[], None]) -> None:
    deadline = time.monotonic() + leftover_limit_s(entry.name)
    while _runs(entry) and time.monotonic() < deadline:
        check()
        time.sleep(0.05)


def _kill_group(entry: Started) -> None:
    """What is left of the group: while it has a member, its number is not given out again.

    So the number is ours if its leader is, or if the leader is gone and the machine was not
    restarted since.
    """
    leader = find_identity(entry.pid)
    same_boot = entry.identity.split()[0] == (find_identity(os.getpid()) or "").split()[0]
    if leader == entry.identity or (leader is None and same_boot):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(entry.pid, signal.SIGKILL)
