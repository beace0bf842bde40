"""A program that does something and ends, such as the migrations."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from supervisor.embedded.runnable import Runnable
from supervisor.embedded.spawn import spawn
from supervisor.output import Output


def run_once(program: Runnable, output: Output, *, is_cut_short: Callable[[], bool]) -> int:
    """Its exit status."""
    process = spawn(program, subprocess.PIPE)
    output.follow(program.name, process)
    while process.poll() is None:
        output.pass_on(0.1)
        if is_cut_short():
            process.kill()
    output.pass_on(0.0)
    return process.returncode
