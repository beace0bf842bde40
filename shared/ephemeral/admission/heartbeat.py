"""One thread that does a thing again and again, whatever happens, once it is needed."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

logger = logging.getLogger(__name__)


class Heartbeat:
    def __init__(self, name: str, every_s: float, beat: Callable[[], None]) -> None:
        self._name = name
        self._every_s = every_s
        self._beat = beat
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def ensure(self) -> None:
        """Without a thread the work goes on; the next one who needs it tries to start it again."""
        with self._lock:
            if self._thread is not None and self._thread.is_alive():
                return
            thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            try:
                thread.start()
            except RuntimeError:  # the system has no more threads to give
                logger.warning("heartbeat.no_thread", extra={"heartbeat": self._name})
            else:
                self._thread = thread

    def stop(self) -> None:
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.wait(self._every_s):
            try:
                self._beat()
            except Exception as exc:  # one bad beat must not end the heart
                logger.warning("heartbeat.failed", extra={"error": type(exc).__name__})
