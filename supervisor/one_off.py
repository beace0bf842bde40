"""Run a program that ends by itself, such as the migrations."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from supervisor.embedded.child_process import spawn
from supervisor.embedded.runnable import Runnable
from supervisor.output import Output


def run_once(program: Runnable, output: Output, *, is_cancelled: Callable[[], bool]) -> int:
    """Returns the exit status. The process is killed when `is_cancelled` returns true."""
    process = spawn(program, subprocess.PIPE)
    output.follow(program.name, process)
    while process.poll() is None:
        output.forward(0.02)
        if is_cancelled():
            process.kill()
    output.forward(0.0)
    return process.returncode
