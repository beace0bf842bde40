"""The lock that allows one supervisor for each data folder."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from supervisor.errors import StartError


@contextmanager
def hold_lock(data_folder: Path, address: str) -> Iterator[None]:
    """Lock DATA_DIR until this process ends. Raises StartError if another one has locked it."""
    descriptor = os.open(data_folder / "supervisor.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _take(descriptor, data_folder)
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"process {os.getpid()}, {address}".encode())
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, data_folder: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.read(descriptor, 200).decode() or "just starting"
        raise StartError(
            f"Throughline is running already ({holder}) on the data in {data_folder}. "
            "Stop it first; a second one needs a DATA_DIR, PORT and FLOWER_PORT of its own."
        ) from None
