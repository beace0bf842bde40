"""Start a child process that cannot outlive its parent."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import IO

from shared.embedded.owner import Identity

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def spawn(
    command: Sequence[str],
    *,
    death_signal: signal.Signals,
    environment: Mapping[str, str] | None = None,
    identity: Identity | None = None,
    output: int | IO[bytes] | None = None,
    folder: str | None = None,
) -> subprocess.Popen[bytes]:
    """Start `command` in a process group of its own, without input, both outputs in one.

    On Linux the kernel sends `death_signal` when the *thread* that called this ends, however it
    ends: call it from the main thread. Elsewhere nothing is sent.
    """
    return subprocess.Popen(  # noqa: S603 - commands come from our own files
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env=environment,
        process_group=0,
        preexec_fn=_tie_to_parent(death_signal),  # noqa: PLW1509 - runs one system call
        **(identity or {}),
    )


def _tie_to_parent(death_signal: signal.Signals) -> Callable[[], None] | None:
    """Python runs this after it changed the account, which would clear the setting."""
    if _libc is None:
        return None
    prctl, parent = _libc.prctl, os.getpid()

    def tie() -> None:
        prctl(_PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)
        if os.getppid() != parent:  # it died before the call above
            os.kill(os.getpid(), signal.SIGKILL)

    return tie
