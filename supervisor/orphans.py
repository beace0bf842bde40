"""End processes whose supervisor was killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress

from supervisor.pid_files import PidFiles, Started
from supervisor.process_identity import find_identity
from supervisor.stop_order import orphan_limit_s, stop_stages


def end_orphans(pid_files: PidFiles, say: Callable[[str], None], check: Callable[[], None]) -> None:
    """End them in the stages of an ordered stop. `check` may raise, to end the waiting.

    A process id may have been reused. Such another process is left alone.
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
    deadline = time.monotonic() + orphan_limit_s(entry.name)
    while _runs(entry) and time.monotonic() < deadline:
        check()
        time.sleep(0.05)


def _kill_group(entry: Started) -> None:
    """Kill the process group, if it is still ours.

    The group is ours if its leader is. It is also ours if the leader has ended and the machine was
    not rebooted: a group's id is not reused while the group has members.
    """
    leader = find_identity(entry.pid)
    same_boot = entry.identity.split()[0] == (find_identity(os.getpid()) or "").split()[0]
    if leader == entry.identity or (leader is None and same_boot):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(entry.pid, signal.SIGKILL)
