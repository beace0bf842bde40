"""Why a database cannot be used, in one word, and what to do about it in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from shared.errors import DatabaseFullError

DatabaseFault = Literal[
    "not_reachable", "starting", "password_refused", "no_database", "too_many_connections", "busy",
    "disk_full", "read_only",
]  # fmt: skip

#: What the server or libpq says, in the order in which it is looked for. A failed connection has no
#: SQLSTATE. What is said in another language counts as `not_reachable`.
_PHRASES: tuple[tuple[str, DatabaseFault], ...] = (
    ("starting up", "starting"),
    ("shutting down", "starting"),
    ("in recovery mode", "starting"),
    ("not yet accepting connections", "starting"),
    ("too many clients", "too_many_connections"),
    ("remaining connection slots", "too_many_connections"),
    ("too many connections", "too_many_connections"),
    ("authentication failed", "password_refused"),
    ("no password supplied", "password_refused"),
    ("no pg_hba.conf entry", "password_refused"),
    ("is not permitted to log in", "password_refused"),
    ("permission denied", "password_refused"),
    ("role", "password_refused"),
    ("database", "no_database"),
)
_BY_CAUSE: Mapping[str, DatabaseFault] = {
    "TimeoutError": "busy",  # of the pool
    "QueryCanceled": "busy",  # a statement took too long
    "ReadOnlySqlTransaction": "read_only",
}

ADVICE: Mapping[str, str] = {
    "not_reachable": "start Postgres, or correct host and port in DATABASE_URL",
    "starting": "wait until Postgres has started; its log says what keeps it",
    "password_refused": "correct user and password in DATABASE_URL; the migrations make a role "
    "that is missing",
    "no_database": "make the database that DATABASE_URL names, or correct its name",
    "too_many_connections": "lower DB_POOL_SIZE, or raise Postgres' max_connections",
    "busy": "Postgres is slow, or all connections of this process are in use: see its load",
    "disk_full": "make room on Postgres' disk; everything goes on by itself",
    "read_only": "let DATABASE_URL lead to a Postgres that takes writes: this one is a standby, or "
    "default_transaction_read_only is on",
}


def name_fault(error: BaseException | None) -> DatabaseFault:
    """The fault of a driver's or the pool's error, also where one of ours was raised from it."""
    if isinstance(error, DatabaseFullError):
        return "disk_full"
    cause = getattr(error, "__cause__", None) or error
    message = str(getattr(cause, "orig", None) or cause).partition("FATAL:")[2]
    for phrase, fault in _PHRASES:
        if phrase in message:
            return fault
    return _BY_CAUSE.get(type(cause).__name__, "not_reachable")
