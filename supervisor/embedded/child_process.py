"""Start a child process that does not outlive its parent."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import IO

from supervisor.embedded.runnable import Runnable

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def spawn(program: Runnable, output: int | IO[bytes]) -> subprocess.Popen[bytes]:
    """Start `program` in a process group of its own, with stdout and stderr in `output`.

    Call it from the main thread: on Linux the kernel sends the program its stop signal when the
    *thread* that called this ends. On other systems nothing is sent.
    """
    return subprocess.Popen(
        program.command(),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        cwd=program.folder,
        env=program.environment,
        process_group=0,
        preexec_fn=_tie_to_parent(program.stop_signal),  # noqa: PLW1509 - one system call
        **program.identity,
    )


def _tie_to_parent(death_signal: signal.Signals) -> Callable[[], None] | None:
    """A function for the child, called after the change of account, which resets the signal."""
    if _libc is None:
        return None
    prctl, parent = _libc.prctl, os.getpid()

    def tie() -> None:
        prctl(_PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)
        if os.getppid() != parent:  # the parent ended before that call
            os.kill(os.getpid(), signal.SIGKILL)

    return tie
