"""The two forms of a log line."""

from __future__ import annotations

import json
import logging
from datetime import datetime
from typing import Any

import pytest

from shared.logs import bound_fields
from shared.logs.formatters import JsonFormatter, TextFormatter


def record_of(event: str, error: Exception | None = None, **fields: object) -> logging.LogRecord:
    record = logging.makeLogRecord(
        {"name": "shared.rounds", "levelno": logging.WARNING, "levelname": "WARNING", "msg": event}
    )
    record.exc_info = (type(error), error, None) if error else None
    vars(record).update(fields)
    return record


def as_text(*args: Any, **fields: Any) -> str:
    return TextFormatter().format(record_of(*args, **fields))


def as_json(*args: Any, **fields: Any) -> dict[str, Any]:
    line = JsonFormatter().format(record_of(*args, **fields))
    assert "\n" not in line
    return dict(json.loads(line))


def test_a_line_of_text_ends_in_its_fields() -> None:
    assert as_text("job.late", kind="title", job_id=7).endswith(
        " WARNING shared.rounds: job.late kind=title job_id=7"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        ("two words", '"two words"'),
        ('a "quote"', '"a \\"quote\\""'),
        ("a=b", '"a=b"'),
        ("line\nbreak", '"line\\nbreak"'),
        ("", '""'),
        (None, "None"),
        (0.5, "0.5"),
    ],
)
def test_a_value_that_would_be_misread_is_quoted(value: object, text: str) -> None:
    assert as_text("job.late", why=value).endswith(f" job.late why={text}")


def test_the_stack_of_an_error_stands_below_its_line() -> None:
    assert as_text("round.crashed", KeyError("x")).endswith(" round.crashed\nKeyError")


def test_a_line_of_json_has_its_fields_beside_the_event() -> None:
    entry = as_json("job.late", job_id=7, why='two "words"')
    assert datetime.fromisoformat(entry.pop("time")).utcoffset() is not None
    assert entry == {
        "level": "WARNING",
        "logger": "shared.rounds",
        "event": "job.late",
        "job_id": 7,
        "why": 'two "words"',
    }


def test_a_line_of_json_holds_the_stack_of_an_error() -> None:
    assert as_json("round.crashed", KeyError("x"))["stack"] == "KeyError"


def test_what_json_does_not_know_is_written_as_text() -> None:
    assert as_json("job.late", kind=frozenset({1}))["kind"] == "frozenset({1})"


def test_bound_fields_are_on_every_line_and_a_line_s_own_fields_win() -> None:
    with bound_fields(task_id="t", kind="title"):
        assert as_json("job.late", kind="facts")["kind"] == "facts"
        assert as_json("job.late")["kind"] == "title"
        assert " task_id=t kind=facts" in as_text("job.late", kind="facts")
