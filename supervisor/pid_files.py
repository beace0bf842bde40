"""Files with the ids of the running processes, in case the supervisor is killed."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from supervisor.process_identity import find_identity


@dataclass(frozen=True, kw_only=True)
class Started:
    """A process that was started, as the leader of a process group."""

    name: str
    pid: int
    identity: str  #: from `find_identity`
    stop_signal: int


class PidFiles:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(mode=0o700, exist_ok=True)

    def write(self, name: str, pid: int, stop_signal: int) -> None:
        """Raises OSError when there is no room, or nothing may be written."""
        identity = find_identity(pid)
        if identity is None:  # it has ended already
            return
        started = Started(name=name, pid=pid, identity=identity, stop_signal=stop_signal)
        staged = self._folder / f".{name}"
        staged.write_text(json.dumps(asdict(started)))
        staged.rename(self._path(name))

    def remove(self, name: str) -> None:
        """Remove the file if that is possible. One that stays names a process that has ended."""
        with suppress(OSError):
            self._path(name).unlink()

    def list_started(self) -> list[Started]:
        return [Started(**json.loads(path.read_text())) for path in self._folder.glob("*.json")]

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.json"
