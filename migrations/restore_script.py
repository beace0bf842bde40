"""Run the script that pg_restore makes of a dump, in a transaction of ours."""

from __future__ import annotations

import re
from typing import IO

from psycopg2.extensions import cursor as Cursor  # noqa: N812 - a type

from shared.maintenance.backup.backup_faults import BackupError

MAX_BYTES = 64_000_000  # of statements between the rows of two tables
END_OF_ROWS = b"\\.\n"

_COPY = re.compile(rb"COPY .+ FROM stdin;\n")
_COMMAND = re.compile(rb"\\(un)?restrict \w+\n")  # for psql alone
#: pg_restore of version 17 and newer sends it to all servers.
_NEWER_SETTING = b"SET transaction_timeout = 0;\n"
_NEWER_SERVER = 170000


class TableRows:
    """The rows of one table in a script, as a file that the driver reads."""

    def __init__(self, script: IO[bytes]) -> None:
        self._script = script
        self._begins_line = True
        self._is_over = False

    def read(self, size: int = -1, /) -> bytes:
        part = b"" if self._is_over else self._script.readline(size)
        if self._begins_line and part == END_OF_ROWS:
            self._is_over, part = True, b""
        self._begins_line = part.endswith(b"\n")
        return part


def run_script(cursor: Cursor, script: IO[bytes]) -> None:
    """Raises the driver's errors, or `BackupError` where there are too many statements."""
    is_older = cursor.connection.server_version < _NEWER_SERVER
    lines: list[bytes] = []
    byte_count = 0
    for line in iter(lambda: script.readline(MAX_BYTES), b""):
        byte_count += len(line)
        if byte_count > MAX_BYTES:
            raise BackupError("not_whole", "The dump has too many statements.")
        if _COPY.fullmatch(line):
            _execute(cursor, lines)
            lines, byte_count = [], 0
            cursor.copy_expert(line.decode(), TableRows(script))  # type: ignore[arg-type]  # it reads
        elif not _COMMAND.fullmatch(line) and not (is_older and line == _NEWER_SETTING):
            lines.append(line)
    _execute(cursor, lines)


def _execute(cursor: Cursor, lines: list[bytes]) -> None:
    cursor.execute(b"".join([*lines, b"SELECT;"]))  # comments alone would be no query
