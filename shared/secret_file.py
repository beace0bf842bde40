"""A secret that is made once and kept in a file for its owner's eyes only."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def read_or_make_secret(path: Path, make: Callable[[], str]) -> str:
    """The one in the file; of several that are made at once, the first one counts."""
    if not path.exists():
        _keep(path, make())
    return path.read_text().strip()


def _keep(path: Path, secret: str) -> None:
    """Written whole before it has its name, so that nobody reads half of it."""
    descriptor, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # 0600
    try:
        with open(descriptor, "w") as file:
            file.write(secret + "\n")
        os.link(scratch, path)
    except FileExistsError:
        pass  # another process was first
    finally:
        os.unlink(scratch)
