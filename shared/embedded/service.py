"""What the embedded services have in common."""

from __future__ import annotations

import signal
from typing import Protocol

from shared.embedded.owner import Owner


class Service(Protocol):
    """A program that serves others on a unix socket."""

    @property
    def name(self) -> str: ...

    @property
    def owner(self) -> Owner: ...

    @property
    def stop_signal(self) -> signal.Signals: ...

    @property
    def url(self) -> str: ...

    def prepare(self) -> None:
        """Make the data folder fit for a start; to be called before each one."""

    def command(self) -> list[str]: ...

    def is_ready(self) -> bool:
        """Ask the server itself, and take no for an answer from one with other data."""

    def complete(self) -> None:
        """What is left to do once it is ready."""
