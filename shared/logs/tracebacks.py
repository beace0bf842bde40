"""Errors for the log: their type, and where in the code they were raised.

Their messages are left out, as they may quote a user: `KeyError('Alexander')`, a row in
Postgres' DETAIL, pydantic's input.
"""

from __future__ import annotations

import errno
import traceback
from collections.abc import Iterator
from types import TracebackType

from shared.errors import ThroughlineError

MAX_ERRORS = 20  # of a chain, or of a group


def describe(error: BaseException) -> str:
    """The type of the error, and its code, unless a user may have written the code."""
    kind = type(error)
    name = (
        kind.__qualname__
        if kind.__module__ == "builtins"
        else f"{kind.__module__}.{kind.__qualname__}"
    )
    code = _code_of(error)
    return f"{name} ({code})" if code else name


def format_error(error: BaseException) -> str:
    """The error and those that led to it, newest first, each with its stack."""
    return "\n".join(_lines(error, "", set()))


def _code_of(error: BaseException) -> str:
    if isinstance(error, ThroughlineError):
        return error.code
    if isinstance(error, OSError) and error.errno is not None:
        return errno.errorcode.get(error.errno, str(error.errno))
    state = getattr(error, "pgcode", None)  # psycopg2's: five letters and digits
    return f"SQLSTATE {state}" if state else ""


def _lines(error: BaseException, title: str, error_ids: set[int]) -> Iterator[str]:
    if id(error) in error_ids or len(error_ids) == MAX_ERRORS:
        return
    error_ids.add(id(error))
    yield f"{title}{describe(error)}"
    yield from _stack(error.__traceback__)
    if isinstance(error, BaseExceptionGroup):
        for member in error.exceptions:
            yield from _lines(member, "one of them: ", error_ids)
    if error.__cause__ is not None:
        yield from _lines(error.__cause__, "caused by: ", error_ids)
    elif error.__context__ is not None and not error.__suppress_context__:
        yield from _lines(error.__context__, "while handling: ", error_ids)


def _stack(last: TracebackType | None) -> Iterator[str]:
    """Places and lines of code. They hold no values."""
    for frame in traceback.extract_tb(last):
        yield f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}'
        if frame.line:
            yield f"    {frame.line}"
