"""The ONNX export for a process that must not load torch: wait for it, or start its export."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

from shared.embeddings.onnx_model import exported_folder
from shared.settings import Settings
from shared.settings.secrets import choose_variables

logger = logging.getLogger(__name__)

POLL_S = 2.0


def wait_for_export(settings: Settings, stopped: threading.Event) -> Path | None:
    """The exported folder, or None if `stopped` is set first.

    Another process may be exporting into the same data folder. The export takes a lock, so only
    one writes. If the export fails here, another process may still succeed.
    """
    folder = exported_folder(settings)
    if not folder.is_dir():
        _export_in_child_process(settings)
    while not folder.is_dir():
        if stopped.wait(POLL_S):
            return None
    return folder


def _export_in_child_process(settings: Settings) -> None:
    """Export in a child process, because torch takes 600 MB and 15 s."""
    result = subprocess.run(
        [sys.executable, "-m", "shared.embeddings.export"],
        env=choose_variables("export", os.environ) | _as_environment(settings),
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        last_line = (result.stderr.strip().splitlines() or ["no message"])[-1]
        logger.warning("encoder.not_exported", extra={"why": last_line})


def _as_environment(settings: Settings) -> dict[str, str]:
    """The settings that the export depends on, and the path of this package."""
    return {
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "DATA_DIR": str(settings.data_dir),
        "EMBEDDING_MODEL": settings.embedding_model,
        "EMBEDDING_DOWNLOAD": str(settings.embedding_download).lower(),
    }
