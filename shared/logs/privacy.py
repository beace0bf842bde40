"""The parts of a log record that may be written: none that may quote a user."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from shared.logs.tracebacks import describe

OWN = frozenset({"shared", "web", "workers", "migrations", "supervisor", "bench", "tests"})
# The broker carries ids only, so Celery's own lines quote nobody. `celery.redirected` logs what
# libraries print, which may quote a user.
FREE_OF_TEXT = frozenset({"celery", "kombu", "alembic"})
PRINTED = "celery.redirected"
# gunicorn quotes requests in warnings and errors. Lines that begin like this are about its
# processes and addresses.
ABOUT_PROCESSES = (
    "WORKER TIMEOUT", "Worker ", "Connection in use", "Invalid address", "Can't connect to",
    "Reason: ", "Shutting down",
)  # fmt: skip

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def message_of(record: logging.LogRecord) -> str:
    """The message of the line. If it may quote a user, only the place where it was logged."""
    if not may_be_passed_on(record):
        return f"(said at {record.filename}:{record.lineno}, left out as it may quote somebody)"
    args = record.args or ()
    try:
        if isinstance(args, Mapping):
            return str(record.msg) % {name: _safe(value) for name, value in args.items()}
        return str(record.msg) % tuple(map(_safe, args)) if args else str(_safe(record.msg))
    except (TypeError, ValueError, KeyError):  # a mistake in the call that logs
        return f"(said at {record.filename}:{record.lineno}, with arguments that do not fit)"


def fields_of(record: logging.LogRecord) -> dict[str, object]:
    """The fields of our own code in `extra`. Fields of libraries may quote a user."""
    if not _is_own(record):
        return {}
    return {name: _safe(value) for name, value in vars(record).items() if name not in _STANDARD}


def is_worth_a_line(record: logging.LogRecord) -> bool:
    """Whether a line without its message is written: only a warning or an error is."""
    return record.levelno >= logging.WARNING or may_be_passed_on(record)


def may_be_passed_on(record: logging.LogRecord) -> bool:
    package = record.name.partition(".")[0]
    if package == "gunicorn":
        return record.levelno <= logging.INFO or str(record.msg).startswith(ABOUT_PROCESSES)
    return _is_own(record) or (package in FREE_OF_TEXT and record.name != PRINTED)


def _is_own(record: logging.LogRecord) -> bool:
    return record.name.partition(".")[0] in OWN


def _safe(value: object) -> object:
    return describe(value) if isinstance(value, BaseException) else value
