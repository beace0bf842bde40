"""Where log lines go, and who may write any: set once in each process."""

from __future__ import annotations

import logging
import sys
import threading
from types import TracebackType

from shared.logs.formatters import FORMATTERS, LogFormat
from shared.logs.privacy import is_worth_a_line

# Other people's libraries, and Celery's three lines for each task: the sweep alone is one every
# few seconds. What a task has done is said by the code that did it.
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
# Loggers with outputs of their own, which are taken away from them.
WITH_HANDLERS = ("gunicorn.error",)


def configure_logging(level: int | str, log_format: LogFormat) -> None:
    """Everything to standard error: log lines, warnings, and errors that nobody caught."""
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
    logging.raiseExceptions = False  # else a line that cannot be written is told with its arguments
    sys.excepthook = _log_uncaught
    threading.excepthook = lambda args: _log_uncaught(args.exc_type, args.exc_value, None)
    sys.unraisablehook = lambda args: _log_uncaught(args.exc_type, args.exc_value, None)


def _log_uncaught(
    kind: type[BaseException], error: BaseException | None, _: TracebackType | None
) -> None:
    if not issubclass(kind, SystemExit):
        logging.getLogger(__name__).error("process.uncaught", exc_info=error or kind())
