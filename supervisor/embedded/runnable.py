"""What can be run as a child process, here and by the supervisor."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from typing import Protocol

from supervisor.embedded.owner import Identity


class Runnable(Protocol):
    """It knows how it is to be run, and holds no process."""

    @property
    def name(self) -> str: ...

    @property
    def identity(self) -> Identity: ...

    @property
    def environment(self) -> Mapping[str, str]: ...

    @property
    def folder(self) -> str | None:
        """The working folder; None is the parent's."""

    @property
    def stop_signal(self) -> signal.Signals: ...

    def prepare(self) -> None:
        """To be called before each start. Raises EmbeddedServiceError when it cannot start."""

    def command(self) -> list[str]: ...

    def is_ready(self) -> bool:
        """Ask the server itself, and take no for an answer from one with other data."""
