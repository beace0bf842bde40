"""What the command lines have in common: an error is one sentence, not a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click
import psycopg2

from shared.errors import DatabaseUnavailableError, ThroughlineError

EXIT_CODE = 2  # 1 is an answer: `shared.maintenance.verify` has found something broken


class CommandError(click.ClickException):
    exit_code = EXIT_CODE


@contextmanager
def plain_errors() -> Iterator[None]:
    """Ours and the database's as one sentence on standard error; a defect keeps its traceback."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except DatabaseUnavailableError as exc:
        raise CommandError(f"The database cannot be reached: {_first_line(exc.__cause__)}") from exc
    except ThroughlineError as exc:
        raise CommandError(exc.message) from exc
    except (SQLAlchemyError, psycopg2.Error) as exc:
        raise CommandError(_first_line(exc)) from exc


def _first_line(error: BaseException | None) -> str:
    """What the server says first; the lines after it may quote rows."""
    return str(getattr(error, "orig", None) or error).partition("\n")[0]
