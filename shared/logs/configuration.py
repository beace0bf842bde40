"""Configure logging, once in each process: the output, the format and the libraries' levels."""

from __future__ import annotations

import logging
import sys
import threading
from types import TracebackType

from shared.logs.formatters import FORMATTERS, LogFormat
from shared.logs.privacy import is_worth_a_line

# Loggers of libraries, which write only warnings and errors. Celery would log three lines for each
# task, and the sweep runs every few seconds. Our own code logs what a task has done.
QUIET = (
    "httpx",
    "httpcore",
    "LiteLLM",
    "urllib3",
    "sentence_transformers",
    "celery.app.trace",
    "celery.beat",
    "celery.worker.strategy",
)
# Loggers whose own handlers are removed.
WITH_HANDLERS = ("gunicorn.error",)


def configure_logging(level: int | str, log_format: LogFormat) -> None:
    """Send log lines, warnings and uncaught errors to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(is_worth_a_line)
    handler.setFormatter(FORMATTERS[log_format]())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    for name in WITH_HANDLERS:
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
    logging.captureWarnings(True)
    logging.raiseExceptions = False  # else logging prints the arguments of a line that fails
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda args: _log_uncaught(args.exc_type, args.exc_value, None)
    sys.unraisablehook = lambda args: _log_uncaught(args.exc_type, args.exc_value, None)


def _log_uncaught(
    kind: type[BaseException], error: BaseException | None, _: TracebackType | None
) -> None:
    if not issubclass(kind, SystemExit):
        logging.getLogger(__name__).error("process.uncaught", exc_info=error or kind())
