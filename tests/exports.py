"""One export of an embedding model for all tests of a run: it takes seconds of CPU to make."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

EXPORT_S = 180  # for the embedding model's first form, on a busy machine


def share_exports(folder: Path) -> None:
    """Let this data folder share the exports of the run, unless it has a folder for its own.

    `folder` is one of pytest's: they stand side by side, in a folder for each process of the run.
    """
    run = folder.parents[1] if "PYTEST_XDIST_WORKER" in os.environ else folder.parent
    exports, shared = folder / "embeddings", run / "embeddings"
    if not exports.exists():
        shared.mkdir(exist_ok=True)
        exports.symlink_to(shared, target_is_directory=True)


def copy_export(folder: Path, data: Path) -> None:
    """Put the run's export into a data folder that another account reads. It is made if missing.

    `folder` is one of pytest's.
    """
    share_exports(folder)
    command = [sys.executable, "-m", "shared.embeddings.export"]
    environment = os.environ | {"DATA_DIR": str(folder)}
    subprocess.run(command, env=environment, capture_output=True, check=True)
    shutil.copytree(folder / "embeddings", data / "embeddings")
