"""Start one embedded service and wait until it is ready; stop it. For tests and commands."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

from supervisor.embedded.child_process import spawn
from supervisor.embedded.errors import EmbeddedServiceError
from supervisor.embedded.runnable import Runnable

# Crash recovery replays up to `max_wal_size`, which takes minutes on a slow disk.
START_LIMIT_S = 300.0
STOP_LIMIT_S = 60.0


def start(
    service: Runnable, log: Path, *, limit_s: float = START_LIMIT_S
) -> subprocess.Popen[bytes]:
    """Start `service` with its output appended to `log`, and return when it is ready.

    Raises EmbeddedServiceError if it ends or is not ready in time. The process is then stopped.
    """
    service.prepare()
    with log.open("ab") as output:
        process = spawn(service, output)
    try:
        _wait_until_ready(service, process, time.monotonic() + limit_s)
    except BaseException:
        stop(service, process, limit_s=1)
        raise
    return process


def stop(
    service: Runnable, process: subprocess.Popen[bytes], *, limit_s: float = STOP_LIMIT_S
) -> None:
    """Ask `process` to end, and kill its group after `limit_s`."""
    if process.poll() is None:
        process.send_signal(service.stop_signal)
    try:
        process.wait(limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait_until_ready(service: Runnable, process: subprocess.Popen[bytes], deadline: float) -> None:
    while not service.is_ready():
        if process.poll() is not None:
            raise EmbeddedServiceError(f"{service.name} ended with {process.returncode}.")
        if time.monotonic() > deadline:
            raise EmbeddedServiceError(f"{service.name} was not ready in time.")
        time.sleep(0.05)
