"""Compile the project's modules for an account that cannot write beside them.

Python keeps what it has compiled beside the source. Another account than the files' owner cannot,
so each of its processes would compile everything again at every start.
"""

from __future__ import annotations

import compileall
from pathlib import Path

FOLDERS = ("migrations", "shared", "web", "workers")


def compile_project(project: Path) -> None:
    """Compile what has changed since the last start. Files that cannot be written stay as are."""
    for folder in FOLDERS:
        compileall.compile_dir(project / folder, quiet=2)
