"""Secrets that are made once and kept in files that only their owner can read."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def read_or_make_secret(path: Path, make: Callable[[], str]) -> str:
    """The secret in the file. If several processes make it at the same time, the first one wins."""
    if not path.exists():
        _write_once(path, make())
    return path.read_text().strip()


def _write_once(path: Path, secret: str) -> None:
    """Write a temporary file and link it, so that nobody reads half a secret."""
    descriptor, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # 0600
    try:
        with open(descriptor, "w") as file:
            file.write(secret + "\n")
        os.link(scratch, path)
    except FileExistsError:
        pass  # another process was first
    finally:
        os.unlink(scratch)
