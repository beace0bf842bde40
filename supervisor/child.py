"""One program and its process, which is restarted when it dies."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import time
from contextlib import suppress

from supervisor.embedded.child_process import spawn
from supervisor.embedded.errors import EmbeddedServiceError
from supervisor.embedded.runnable import Runnable
from supervisor.output import Output
from supervisor.pid_files import PidFiles

# Before a process that died is restarted.
FIRST_DELAY_S = 0.5
LONGEST_DELAY_S = 30.0
SETTLED_AFTER_S = 60.0

_KILLED = math.inf  # the value of `_kill_at` after the kill


class Child:
    """A process that is started when it is due. After a failure it is due again after a delay."""

    def __init__(self, program: Runnable, output: Output, pid_files: PidFiles) -> None:
        self.name = program.name
        self.is_ready = False
        self.failure_count = 0
        self._program = program
        self._output = output
        self._pid_files = pid_files
        self._process: subprocess.Popen[bytes] | None = None
        self._has_pid_file = False
        self._reported_error = ""
        # Seconds of the monotonic clock:
        self._started_at = 0.0
        self._due_at = 0.0
        self._kill_at: float | None = None

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def advance(self, *, may_start: bool) -> None:
        """Do one step: note the process's end, start it if it is due, check whether it is ready."""
        self.note_end()
        if not self.is_running and may_start and time.monotonic() >= self._due_at:
            self._start()
        if self._process is not None and not self._has_pid_file:
            self._write_pid_file(self._process.pid)
        if self.is_running and not self.is_ready:
            self.is_ready = self._program.is_ready()

    def note_end(self) -> None:
        if self._process is None or self._process.poll() is None:
            return
        status = self._process.returncode
        self._kill_group()  # its own children may still run
        self._process = None
        self.is_ready = self._has_pid_file = False
        self._pid_files.remove(self.name)
        if self._kill_at is None:  # nobody asked it to stop
            how = f"with {status}" if status >= 0 else f"by {signal.Signals(-status).name}"
            self._plan_restart(f"ended {how}")

    def ask_to_stop(self, *, limit_s: float) -> None:
        self._kill_at = time.monotonic() + limit_s
        if self._process is not None:
            self._process.send_signal(self._program.stop_signal)

    def hurry(self, *, limit_s: float) -> None:
        """Shorten the time until the kill, if the process was asked to stop."""
        if self._kill_at is not None and self._kill_at != _KILLED:
            self._kill_at = min(self._kill_at, time.monotonic() + limit_s)

    def kill_if_late(self) -> None:
        if self.is_running and self._kill_at and time.monotonic() >= self._kill_at:
            self._output.say(f"{self.name} is killed: it did not stop in time")
            self._kill_group()
            self._kill_at = _KILLED

    def _start(self) -> None:
        self._started_at = time.monotonic()
        try:
            self._program.prepare()
            self._process = spawn(self._program, subprocess.PIPE)
        except (EmbeddedServiceError, OSError) as exc:
            self._plan_restart(f"cannot start: {exc}")
            return
        self._output.follow(self.name, self._process)

    def _write_pid_file(self, pid: int) -> None:
        """Without room for it the process goes on, and the next step tries again."""
        try:
            self._pid_files.write(self.name, pid, int(self._program.stop_signal))
        except OSError as exc:
            if str(exc) != self._reported_error:
                self._output.say(f"{self.name} goes on without a pid file for now: {exc}")
            self._reported_error = str(exc)
        else:
            self._has_pid_file = True

    def _plan_restart(self, reason: str) -> None:
        ran_s = time.monotonic() - self._started_at
        self.failure_count = count_failures(self.failure_count, ran_s)
        delay_s = restart_delay(self.failure_count)
        self._due_at = time.monotonic() + delay_s
        self._output.say_last_lines(self.name)
        self._output.say(f"{self.name} {reason}; it starts again in {delay_s:g} s")

    def _kill_group(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)


def count_failures(previous: int, ran_s: float) -> int:
    """Failures in a row, with this one. A process that ran for a while starts again at 1."""
    return 1 if ran_s >= SETTLED_AFTER_S else previous + 1


def restart_delay(failures: int) -> float:
    """Seconds: 0.5, doubled with each failure in a row, at most 30."""
    return min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0 ** min(failures - 1, 10))
