"""The protocol of programs that can be run as a child process."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from typing import Protocol

from supervisor.embedded.owner import Identity


class Runnable(Protocol):
    """A description of a program. It has no process of its own."""

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> Identity: ...

    @property
    def environment(self) -> Mapping[str, str]: ...

    @property
    def folder(self) -> str | None:
        """The working directory; None: that of the parent."""

    @property
    def stop_signal(self) -> signal.Signals: ...

    def prepare(self) -> None:
        """Call it before each start. Raises EmbeddedServiceError if the program cannot start."""

    def command(self) -> list[str]: ...

    def is_ready(self) -> bool:
        """Whether the server answers, and is the one with our data."""
