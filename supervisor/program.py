"""A command of the Procfile."""

from __future__ import annotations

import signal
from collections.abc import Mapping

from supervisor.embedded.owner import Owner


class Program:
    """A line for `sh`, which replaces itself by the command: one process, and `$$` is its id."""

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
        return True  # nothing waits for it
