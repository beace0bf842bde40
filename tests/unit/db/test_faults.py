"""What the server or libpq says, as one word."""

from __future__ import annotations

import psycopg2
import pytest
from psycopg2 import errors as pg_errors

from shared.db import ADVICE, name_fault
from shared.errors import DatabaseFullError, DatabaseUnavailableError

SERVER = 'connection to server on socket "/role/database/.s.PGSQL.5432" failed: '


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        ("Connection refused", "not_reachable"),
        ("FATAL:  the database system is starting up", "starting"),
        ("FATAL:  the database system is not yet accepting connections", "starting"),
        ('FATAL:  password authentication failed for user "x"', "password_refused"),
        ('FATAL:  role "starter" does not exist', "password_refused"),
        ('FATAL:  permission denied for database "x"', "password_refused"),
        ('FATAL:  no pg_hba.conf entry for host "::1", user "x"', "password_refused"),
        ('FATAL:  database "x" does not exist', "no_database"),
        ("FATAL:  sorry, too many clients already", "too_many_connections"),
        ("FATAL:  das Datenbanksystem startet", "not_reachable"),
    ],
)
def test_a_failed_connection_is_told_in_one_word(message: str, fault: str) -> None:
    cause = psycopg2.OperationalError(SERVER + message)
    ours = DatabaseUnavailableError()
    ours.__cause__ = cause
    assert (name_fault(cause), name_fault(ours)) == (fault, fault)
    assert fault in ADVICE


def test_a_pool_without_a_free_connection_is_busy() -> None:
    ours = DatabaseUnavailableError()
    ours.__cause__ = TimeoutError()
    assert name_fault(ours) == "busy"


def test_a_full_disk_and_a_standby_are_told_apart() -> None:
    full = DatabaseFullError()
    full.__cause__ = pg_errors.DiskFull()
    standby = DatabaseUnavailableError()
    standby.__cause__ = pg_errors.ReadOnlySqlTransaction()
    assert [name_fault(error) for error in (full, standby)] == ["disk_full", "read_only"]
