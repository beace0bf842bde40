"""A log record as one line: of text for people, or of JSON for a collector of logs."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from typing import Literal

from shared.logs.context import current_fields
from shared.logs.privacy import fields_of, message_of
from shared.logs.tracebacks import format_error

LogFormat = Literal["text", "json"]

# Keys that a JSON line always has. No field may have one of these names.
RESERVED = ("time", "level", "logger", "event", "stack")

_PLAIN = re.compile(r"[^\s\"=]+")


class TextFormatter(logging.Formatter):
    """`time level logger: event key=value …`, and the stack of an error below.

    A value with spaces, quotes or `=` in it is written as a JSON string.
    """

    def format(self, record: logging.LogRecord) -> str:
        words = f"{self.formatTime(record)} {record.levelname} {record.name}: {message_of(record)}"
        fields = [f"{name}={_quoted(value)}" for name, value in _all_fields(record).items()]
        line = " ".join([words, *fields])
        stack = _stack_of(record)
        return f"{line}\n{stack}" if stack else line


class JsonFormatter(logging.Formatter):
    """One JSON object: time (UTC), level, logger, event, the fields, and `stack` for an error."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "event": message_of(record),
        } | _all_fields(record)
        if stack := _stack_of(record):
            entry["stack"] = stack
        return json.dumps(entry, ensure_ascii=False, default=str)


FORMATTERS: dict[LogFormat, type[logging.Formatter]] = {
    "text": TextFormatter,
    "json": JsonFormatter,
}


def _all_fields(record: logging.LogRecord) -> dict[str, object]:
    return {**current_fields(), **fields_of(record)}


def _stack_of(record: logging.LogRecord) -> str:
    error = record.exc_info[1] if record.exc_info else None
    return format_error(error) if error is not None else ""


def _quoted(value: object) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)
