"""What gets into a log line: events, ids, types and places; never what somebody said."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Callable
from typing import Any, Protocol

import pytest
from pydantic import BaseModel

from shared.errors import RateLimitedError
from shared.logs.formatters import FORMATTERS, LogFormat
from shared.logs.tracebacks import describe, format_error

WORD = "Zinnober"  # what somebody said


class Form(BaseModel):
    number: int


def fail_with_key() -> None:
    values: dict[str, str] = {}
    values[WORD]


def fail_with_input() -> None:
    Form(number=WORD)  # type: ignore[arg-type]


def fail_with_cause() -> None:
    try:
        fail_with_key()
    except KeyError as exc:
        raise RuntimeError(f"about {WORD}") from exc


def fail_while_handling() -> None:
    try:
        int(WORD)
    except ValueError:
        raise RuntimeError(f"about {WORD}")  # noqa: B904 - it is the point


def fail_in_a_group() -> None:
    raise ExceptionGroup(f"of {WORD}", [KeyError(WORD), ValueError(WORD)])


FAILURES = [fail_with_key, fail_with_input, fail_with_cause, fail_while_handling, fail_in_a_group]


class WriteLine(Protocol):
    def __call__(self, name: str, level: int, message: object, *args: object, **more: Any) -> str:
        """As a handler with our formatter writes it."""


@pytest.fixture(params=["text", "json"])
def log_format(request: pytest.FixtureRequest) -> LogFormat:
    form: LogFormat = request.param
    return form


@pytest.fixture
def line_of(log_format: LogFormat) -> WriteLine:
    def write(name: str, level: int, message: object, *args: object, **more: Any) -> str:
        stream = io.StringIO()
        handler = logging.StreamHandler(stream)
        handler.setFormatter(FORMATTERS[log_format]())
        logger = logging.Logger(name)  # noqa: LOG001 - one that no other test has
        logger.addHandler(handler)
        logger.log(level, message, *args, **more)
        return stream.getvalue()

    return write


@pytest.mark.parametrize("fail", FAILURES)
def test_an_error_is_told_by_its_type_and_place(
    line_of: WriteLine, fail: Callable[[], None]
) -> None:
    try:
        fail()
    except Exception as exc:
        error = exc
    line = line_of("shared.rounds", logging.ERROR, "round.crashed", exc_info=error)
    assert WORD not in line
    assert type(error).__name__ in line
    assert f"in {fail.__name__}" in line


def test_what_led_to_an_error_is_told_too() -> None:
    with pytest.raises(RuntimeError) as caught:
        fail_with_cause()
    text = format_error(caught.value)
    assert "caused by: KeyError" in text
    assert "in fail_with_key" in text


def test_an_error_that_led_to_itself_comes_to_an_end() -> None:
    error, other = ValueError(WORD), KeyError(WORD)
    error.__cause__, other.__cause__ = other, error
    assert format_error(error) == "ValueError\ncaused by: KeyError"


@pytest.mark.parametrize(
    ("error", "description"),
    [
        (KeyError(WORD), "KeyError"),
        (OSError(28, f"No space for {WORD}"), "OSError (ENOSPC)"),
        (RateLimitedError(WORD), "shared.errors.transient.RateLimitedError (model_rate_limited)"),
    ],
)
def test_a_code_that_comes_from_no_user_is_told(error: Exception, description: str) -> None:
    assert describe(error) == description


def test_an_error_as_an_argument_is_told_by_its_type(line_of: WriteLine) -> None:
    line = line_of("web.x", logging.WARNING, "No: %s", KeyError(WORD))
    assert "No: KeyError" in line
    assert WORD not in line
    assert WORD not in line_of("web.x", logging.WARNING, "no", extra={"error": KeyError(WORD)})
    assert WORD not in line_of(
        "celery.app.trace", logging.ERROR, "%(exc)s", {"exc": KeyError(WORD)}
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gunicorn.error", f"Invalid request from ip=127.0.0.1: {WORD}"),
        ("gunicorn.error", f"Error handling request /api/v1/search?q={WORD}"),
        ("py.warnings", f"input_value='{WORD}'"),
        ("celery.redirected", WORD),
        ("somebody.elses", WORD),
        ("root", WORD),
    ],
)
def test_a_library_that_may_quote_somebody_is_told_by_its_place(
    line_of: WriteLine, name: str, message: str
) -> None:
    line = line_of(name, logging.ERROR, message, extra={"quoted": WORD})
    assert WORD not in line
    assert "ERROR" in line
    assert name in line
    assert "(said at test_privacy.py:" in line


@pytest.mark.parametrize(
    ("name", "level"), [("gunicorn.error", logging.INFO), ("celery.apps.worker", logging.ERROR)]
)
def test_what_is_said_of_processes_is_passed_on(line_of: WriteLine, name: str, level: int) -> None:
    assert "Booting worker with pid: 12" in line_of(name, level, "Booting worker with pid: %s", 12)


def test_a_worker_that_was_killed_is_told_of(line_of: WriteLine) -> None:
    line = line_of("gunicorn.error", logging.ERROR, "Worker (pid:%s) was sent SIG%s!", 12, "KILL")
    assert "Worker (pid:12) was sent SIGKILL!" in line


def test_no_frame_tells_its_variables(line_of: WriteLine) -> None:
    secret = WORD  # noqa: F841 - in the frame
    try:
        fail_with_key()
    except KeyError:
        assert WORD not in line_of("web.x", logging.ERROR, "no", exc_info=sys.exc_info())


def test_a_line_whose_arguments_do_not_fit_tells_none_of_them(line_of: WriteLine) -> None:
    line = line_of("shared.x", logging.ERROR, "one: %s", WORD, WORD)
    assert WORD not in line
    assert "with arguments that do not fit" in line
