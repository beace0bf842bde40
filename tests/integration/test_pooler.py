"""The product through PgBouncer, which lends a connection for one transaction at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from shared.db import execute, fetch_row, fetch_rows, fetch_tuples, prepared
from shared.db.statements import STATEMENT_TIMEOUT_MS
from shared.derivations.kinds import do_job
from shared.errors import DatabaseTimeoutError
from shared.models import UserId
from shared.services import Services
from shared.store import users
from shared.timing import Deadline
from shared.user_data.export import export_user
from supervisor.embedded.owner import find_owner
from tests.embedding import embed_pending
from tests.fakes.pgbouncer import CONNECTIONS, PGBOUNCER, running_pgbouncer, url_of
from tests.integration.conversing import Conversing
from tests.services import MakeSettings, private_folder

pytestmark = pytest.mark.skipif(PGBOUNCER is None, reason="no pgbouncer: see bin/debian-tools")


@pytest.fixture
def pooled(make_settings: MakeSettings, short_folder: Path) -> Iterator[Services]:
    settings = make_settings(memory_window_limit=5)
    with running_pgbouncer(settings.database_url, short_folder / "p", find_owner()) as pooler:
        services = Services(settings.model_copy(update={"database_url": url_of(pooler)}))
        yield services
        services.close()


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """The path of a socket is short."""
    with private_folder() as folder:
        yield folder


def test_the_settings_of_a_transaction_do_not_depend_on_the_connection(pooled: Services) -> None:
    for user in ("ada", "bob"):
        with pooled.database.transaction(user=UserId(user)) as connection:
            row = fetch_row(
                connection,
                "SELECT current_setting('timezone') AS zone, "
                "current_setting('statement_timeout') AS longest, "
                "current_setting('idle_in_transaction_session_timeout') AS idle, "
                "current_setting('throughline.user_id') AS user",
            )
        seconds = f"{STATEMENT_TIMEOUT_MS // 1000}s"
        assert row == {"zone": "UTC", "longest": seconds, "idle": seconds, "user": user}


def test_nothing_of_a_transaction_stays_on_the_connection(pooled: Services) -> None:
    with pooled.database.transaction(Deadline(10), user=UserId("ada")) as connection:
        execute(connection, "SELECT 1")
    with pooled.database.upkeep() as connection:
        execute(connection, "SELECT 1")
    with pooled.database.transaction() as connection:
        row = fetch_row(
            connection,
            "SELECT nullif(current_setting('throughline.user_id', true), '') AS user, "
            "current_user AS role, current_setting('statement_timeout') AS longest",
        )
    assert row == {"user": None, "role": "throughline_app", "longest": "15s"}


def test_nothing_is_prepared_on_a_connection_that_is_lent_to_others(pooled: Services) -> None:
    with pooled.database.transaction(user=UserId("ada")) as connection:
        assert fetch_tuples(connection, prepared("SELECT 1")) == [(1,)]
        assert fetch_tuples(connection, prepared("SELECT FROM pg_prepared_statements")) == []


def test_a_deadline_ends_a_statement(pooled: Services) -> None:
    with (
        pytest.raises(DatabaseTimeoutError),
        pooled.database.transaction(Deadline(0.2)) as connection,
    ):
        execute(connection, "SELECT pg_sleep(5)")
    with pooled.database.transaction() as connection:
        assert fetch_row(connection, "SELECT 1 AS one") == {"one": 1}


def test_a_conversation_with_its_memory_goes_through(pooled: Services) -> None:
    conversing = Conversing(pooled)
    for number in range(10):
        conversing.round(f"My favourite number is {number}.")
        for due in conversing.due:
            do_job(pooled, due.kind, due.job_id)
        conversing.due.clear()
    embed_pending(pooled)

    with pooled.database.transaction(user=conversing.user_id) as connection:
        vectors = fetch_rows(connection, "SELECT FROM message_embeddings")
        facts = fetch_rows(connection, "SELECT FROM structured_facts")
    assert len(vectors) == 20
    assert facts
    exported = "".join(export_user(pooled, conversing.user_id, datetime.now(UTC)))
    assert "My favourite number is 9." in exported


def test_many_at_once_see_their_own_rows_alone(pooled: Services) -> None:
    """More clients than connections: each transaction may be on another connection."""
    wrong: list[str] = []

    def live(user: UserId) -> None:
        for _ in range(20):
            with pooled.database.transaction(user=user) as connection:
                users.ensure_user(connection, user)
                rows = fetch_rows(connection, "SELECT user_id FROM users")
                wrong.extend(row["user_id"] for row in rows if row["user_id"] != user)

    threads = [
        threading.Thread(target=live, args=(UserId(f"user-{number}"),))
        for number in range(CONNECTIONS * 4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wrong == []
