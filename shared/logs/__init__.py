"""Log lines: an event, then its fields as key=value. Ids, never text.

Our own code logs no text. Libraries may quote what they were given, so of them only those are
passed on that speak of processes and connections; of the others the place alone is told.
Errors are told by type and stack (`shared/logs/tracebacks.py`).
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from shared.logs.tracebacks import describe, format_error

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}

OWN = frozenset({"shared", "web", "workers", "migrations", "supervisor", "bench", "tests"})
# The broker carries ids only, so Celery has no text to tell. What libraries print, which Celery
# logs as `celery.redirected`, may be anything.
FREE_OF_TEXT = frozenset({"celery", "kombu", "alembic"})
PRINTED = "celery.redirected"
# gunicorn quotes requests in warnings and errors; these are about its processes.
ABOUT_PROCESSES = ("WORKER TIMEOUT", "Worker ")

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


class FieldsFormatter(logging.Formatter):
    """Appends what was given as `extra`; leaves out what may quote a user."""

    def format(self, record: logging.LogRecord) -> str:
        safe = logging.makeLogRecord(vars(record))
        safe.msg, safe.args = _message_of(record), ()
        safe.exc_text = None  # another handler may have left its own there
        fields = {k: v for k, v in vars(record).items() if k not in _STANDARD and k != "data"}
        safe.fields = "".join(f" {key}={_safe(value)}" for key, value in fields.items())
        return super().format(safe)

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's own name
        return format_error(ei[1]) if ei[1] is not None else ""


def configure_logging(level: int | str) -> None:
    """Everything to standard error: log lines, warnings, and errors that nobody caught."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(_is_worth_a_line)
    handler.setFormatter(
        FieldsFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s%(fields)s")
    )
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


def _is_worth_a_line(record: logging.LogRecord) -> bool:
    """Of a line whose words are left out, the place is of use only when something went wrong."""
    return record.levelno >= logging.WARNING or _may_be_passed_on(record)


def _log_uncaught(
    kind: type[BaseException], error: BaseException | None, _: TracebackType | None
) -> None:
    if not issubclass(kind, SystemExit):
        logging.getLogger(__name__).error("process.uncaught", exc_info=error or kind())


def _message_of(record: logging.LogRecord) -> str:
    if not _may_be_passed_on(record):
        return f"(said at {record.filename}:{record.lineno}, left out as it may quote somebody)"
    args = record.args or ()
    try:
        if isinstance(args, Mapping):
            return str(record.msg) % {name: _safe(value) for name, value in args.items()}
        return str(record.msg) % tuple(map(_safe, args)) if args else str(_safe(record.msg))
    except (TypeError, ValueError, KeyError):  # a mistake in the call that logs
        return f"(said at {record.filename}:{record.lineno}, with arguments that do not fit)"


def _may_be_passed_on(record: logging.LogRecord) -> bool:
    package = record.name.partition(".")[0]
    if package == "gunicorn":
        return record.levelno <= logging.INFO or str(record.msg).startswith(ABOUT_PROCESSES)
    return package in OWN or (package in FREE_OF_TEXT and record.name != PRINTED)


def _safe(value: object) -> object:
    return describe(value) if isinstance(value, BaseException) else value
