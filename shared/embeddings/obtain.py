"""The ONNX form for a process that must not load torch: wait for it, have it made if need be."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

from shared.embeddings.onnx_model import exported_folder
from shared.settings import Settings

logger = logging.getLogger(__name__)

POLL_S = 2.0


def obtain_export(settings: Settings, stopped: threading.Event) -> Path | None:
    """The exported folder, or None when `stopped` was set before it came.

    A worker on the same data folder may be at it already; the export itself sees to it that
    only one writes. If it fails here, the folder may still come from elsewhere.
    """
    folder = exported_folder(settings)
    if not folder.is_dir():
        _export_in_own_process(settings)
    while not folder.is_dir():
        if stopped.wait(POLL_S):
            return None
    return folder


def _export_in_own_process(settings: Settings) -> None:
    """torch takes some 600 MB and 15 s: in a process that ends, the web process stays small."""
    result = subprocess.run(
        [sys.executable, "-m", "shared.embeddings.export"],
        env=os.environ | _as_environment(settings),
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        last_line = (result.stderr.strip().splitlines() or ["no message"])[-1]
        logger.warning("encoder.not_exported", extra={"why": last_line})


def _as_environment(settings: Settings) -> dict[str, str]:
    """What of the settings decides the export, and where this package is found."""
    return {
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "DATA_DIR": str(settings.data_dir),
        "EMBEDDING_MODEL": settings.embedding_model,
        "EMBEDDING_DOWNLOAD": str(settings.embedding_download).lower(),
    }
