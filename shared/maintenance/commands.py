"""Error handling of all commands: an error is one sentence, without a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click
import psycopg2

from shared.errors import DatabaseUnavailableError, ThroughlineError

EXIT_CODE = 2  # 1 is a result: `throughline verify` found a broken invariant


class CommandError(click.ClickException):
    """Ends the command with its message."""

    exit_code = EXIT_CODE


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn our errors and the database's into one sentence. A bug keeps its traceback."""
    try:
        yield
    except DatabaseUnavailableError as exc:
        raise CommandError(f"The database cannot be reached: {_first_line(exc.__cause__)}") from exc
    except ThroughlineError as exc:
        raise CommandError(exc.message) from exc
    except psycopg2.Error as exc:
        raise CommandError(_first_line(exc)) from exc
    except OSError as exc:  # no room, a folder that is missing, a file of somebody else
        raise CommandError(str(exc)) from exc
    except Exception as exc:
        from sqlalchemy.exc import SQLAlchemyError  # slow to import, and only migrations raise one

        if not isinstance(exc, SQLAlchemyError):
            raise
        raise CommandError(_first_line(exc)) from exc


def _first_line(error: BaseException | None) -> str:
    """The first line of the server's message. Later lines may quote rows."""
    return str(getattr(error, "orig", None) or error).partition("\n")[0]
