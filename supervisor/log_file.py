"""A process's output in DATA_DIR/logs: `NAME.log`, and `NAME.log.1` with what came before it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

LARGEST_BYTES = 2_000_000


def write_line(path: Path, line: str, largest_bytes: int = LARGEST_BYTES) -> None:
    """Append it; a file that is full begins anew. A line for which there is no room is lost."""
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, exist_ok=True)
        with path.open("ab") as file:
            file.write(f"{line}\n".encode())
            is_full = file.tell() >= largest_bytes
        if is_full:
            path.replace(path.with_name(f"{path.name}.1"))
