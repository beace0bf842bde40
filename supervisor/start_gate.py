"""The gate at which the page waits until its databases are ready.

The page is started together with the services, so that all load at once. It answers nobody until
the gate is open: until the services are ready and the schema is one that its code runs on.
"""

from __future__ import annotations

from pathlib import Path

from shared.settings.start_gate import START_GATE


class StartGate:
    """A file that is there while the gate is open. A variable tells the page its name."""

    def __init__(self, data_dir: Path) -> None:
        self._file = data_dir / "ready"

    @property
    def environment(self) -> dict[str, str]:
        return {START_GATE: str(self._file)}

    def close(self) -> None:
        """Before the page is started: an earlier start may have left the gate open."""
        self._file.unlink(missing_ok=True)

    def open(self) -> None:
        self._file.touch()
