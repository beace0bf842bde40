"""Why a backup was not made: a code for logs and the status, a sentence for the command."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from shared.maintenance.commands import CommandError

Reason = Literal[
    "no_folder",
    "no_room",
    "no_right",
    "no_tools",
    "dump_failed",
    "not_whole",
    "busy",
    "interrupted",
]
FULL = (errno.ENOSPC, errno.EDQUOT)


class BackupError(CommandError):
    """A backup was not made, or is not whole."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@contextmanager
def folder_faults() -> Iterator[None]:
    """Turn the file system's errors into ours."""
    try:
        yield
    except OSError as exc:
        raise BackupError("no_room" if exc.errno in FULL else "no_folder", str(exc)) from exc


def says_full(line: str) -> bool:
    """Whether a program in the locale C says that the disk is full."""
    return line.endswith(tuple(os.strerror(number) for number in FULL))
