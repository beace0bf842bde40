"""A connection that remembers the statements as they were sent."""

from __future__ import annotations

from typing import Any

import psycopg2.extensions


class RecordingConnection(psycopg2.extensions.connection):
    def __init__(self, dsn: str, **options: Any) -> None:
        super().__init__(dsn, **options)
        self.sent: list[str] = []

    def cursor(self, *args: Any, cursor_factory: Any = None, **options: Any) -> Any:
        class RecordingCursor(cursor_factory):
            def execute(self, query: Any, vars: Any = None) -> None:
                super().execute(query, vars)
                self.connection.sent.append(self.query.decode())

        return super().cursor(*args, cursor_factory=RecordingCursor, **options)
