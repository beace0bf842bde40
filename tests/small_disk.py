"""A small file system of its own for a test, which can be filled."""

from __future__ import annotations

import errno
import itertools
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BLOCK = bytes(65_536)


class SmallDisk:
    """A tmpfs. Whatever fills it is called `ballast`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self) -> None:
        """Use up every byte, also those that somebody gave back meanwhile."""
        with _ends_without_room(), (self.folder / "ballast").open("ab", buffering=0) as file:
            while True:
                file.write(BLOCK)

    def use_up_inodes(self) -> None:
        """Leave bytes, but no room for another file."""
        folder = self.folder / "ballast"
        folder.mkdir(exist_ok=True)
        with _ends_without_room():
            for number in itertools.count(len(os.listdir(folder))):
                (folder / str(number)).touch()

    def clear(self) -> None:
        subprocess.run(["rm", "-rf", self.folder / "ballast"], check=True)

    def set_read_only(self, *, is_read_only: bool) -> None:
        mode = "ro" if is_read_only else "rw"
        subprocess.run(["mount", "-o", f"remount,{mode}", self.folder], check=True)


@contextmanager
def small_disk(folder: Path, *options: str) -> Iterator[SmallDisk]:
    """Mount one at `folder`. Skips the test where that is not possible."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root of Linux can mount a small disk")
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(folder)]
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def _ends_without_room() -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        assert exc.errno == errno.ENOSPC  # noqa: PT017 - anything else is a fault of the test
