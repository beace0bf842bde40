"""Encode one query at a time, for the web process: on ONNX, loaded in the background."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

from shared.embeddings.onnx_model import OnnxModel, exported_folder
from shared.metrics.counters import QUERY_EMBEDDING_FALLBACKS
from shared.models import Encoded
from shared.settings import Settings, SettingsError
from shared.settings.process_variables import choose_variables

logger = logging.getLogger(__name__)

MAX_THREADS = min(4, os.cpu_count() or 1)  # more threads than cores slow every text down
POLL_S = 2.0


class QueryEncoder:
    """Create one in each web process, after the fork. It does nothing before `start`."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._model: OnnxModel | None = None
        self._stopped = threading.Event()
        self._failed_before = False
        self._threads = ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="query-encoder")

    @property
    def ready(self) -> bool:
        return self._model is not None

    def start(self) -> None:
        """Load the model in the background. A missing export is made by a child process."""
        threading.Thread(target=self._load, name="query-encoder-load", daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def encode(self, text: str, timeout_s: float) -> Encoded | None:
        """The query's vectors. None while the model loads, after `timeout_s`, and after an error.

        A metric counts each of these reasons.
        """
        return self.begin(text)(timeout_s)

    def begin(self, text: str) -> Callable[[float], Encoded | None]:
        """Encode in another thread. The function that is returned does the rest of `encode`."""
        model, future = self._model, None
        if model is not None:
            with suppress(RuntimeError):  # this process stops
                future = self._threads.submit(model.encode_query, text)
        return partial(self._wait, future)

    def _wait(self, future: Future[Encoded] | None, timeout_s: float) -> Encoded | None:
        reason = "loading"
        if future is not None:
            try:
                return future.result(timeout_s)
            except TimeoutError:
                future.cancel()
                reason = "timeout"
            except Exception as exc:
                self._log_once(exc)
                reason = "error"
        QUERY_EMBEDDING_FALLBACKS.labels(reason=reason).inc()
        return None

    def knows(self, word: str) -> bool:
        """Whether `word`, in lower case, is one token of the vocabulary. False while loading."""
        return self._model is not None and self._model.knows(word)

    def _load(self) -> None:
        try:
            folder = _wait_for_export(self._settings, self._stopped)
            if folder is None:
                return
            begun_at = time.monotonic()
            model = OnnxModel(folder)
            model.encode_query("the first call is the slowest")
        except (Exception, SettingsError) as exc:
            # the message is about the model's files; no query has been read yet
            logger.warning("encoder.not_loaded", extra={"why": str(exc)})
            return
        self._model = model
        taken_ms = round((time.monotonic() - begun_at) * 1000)
        logger.info("encoder.loaded", extra={"taken_ms": taken_ms})

    def _log_once(self, exc: Exception) -> None:
        """Log the first error, by its type alone: its message may quote the text."""
        if not self._failed_before:
            self._failed_before = True
            logger.warning("encoder.failed", extra={"error": type(exc).__name__})


def _wait_for_export(settings: Settings, stopped: threading.Event) -> Path | None:
    """The folder of the ONNX export, or None if `stopped` is set first.

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
