"""A program that is started by a shell command."""

from __future__ import annotations

import signal
from collections.abc import Mapping

from supervisor.embedded.owner import Owner


class Program:
    """The shell replaces itself by the command, so there is one process and `$$` is its id."""

    stop_signal = signal.SIGTERM
    folder = None

    def __init__(
        self, name: str, line: str, environment: Mapping[str, str], account: Owner
    ) -> None:
        self.name = name
        self.environment = environment
        self.identity = account.identity
        self._line = line

    def prepare(self) -> None:
        """Nothing to prepare."""

    def command(self) -> list[str]:
        return ["/bin/sh", "-c", f"exec {self._line}"]

    def is_ready(self) -> bool:
        return True  # no process waits for it
