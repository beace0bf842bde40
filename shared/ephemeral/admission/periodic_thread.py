"""A background thread that calls a function at a fixed interval."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

logger = logging.getLogger(__name__)


class PeriodicThread:
    """Calls a function again and again, from `ensure_started` on, also after an error of it."""

    def __init__(self, name: str, every_s: float, function: Callable[[], None]) -> None:
        self._name = name
        self._every_s = every_s
        self._function = function
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def ensure_started(self) -> None:
        """Start the thread unless it runs. If the system has no thread left, the next call tries
        again."""
        with self._lock:
            if self._thread is not None and self._thread.is_alive():
                return
            thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            try:
                thread.start()
            except RuntimeError:  # the system has no thread left
                logger.warning("heartbeat.no_thread", extra={"heartbeat": self._name})
            else:
                self._thread = thread

    def stop(self) -> None:
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.wait(self._every_s):
            try:
                self._function()
            except Exception as exc:
                logger.warning("heartbeat.failed", extra={"error": type(exc).__name__})
