"""The application's role: it can do its work, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing

import psycopg2
import pytest
from psycopg2 import errors

from migrations import upgrade
from migrations.roles import grant_application, list_powers
from shared.derivations.kinds import do_job
from shared.maintenance.verify import find_breaches
from shared.services import Services as Product
from shared.settings import read_settings
from supervisor.embedded.postgres import APP_USER, USER
from tests.integration.conversing import Conversing
from tests.services import MakeSettings, as_application

ADD_ADA = "SET throughline.user_id = 'ada'; INSERT INTO users (user_id) VALUES ('ada')"


@pytest.fixture
def app_url(database_url: str) -> str:
    return as_application(database_url)


def run(url: str, statement: str) -> None:
    with closing(psycopg2.connect(url)) as connection, connection:
        connection.cursor().execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE mine (id int)",
        "CREATE SCHEMA mine",
        "DROP EXTENSION vector CASCADE",
        "CREATE DATABASE mine",
        "CREATE ROLE mine",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "ALTER TABLE messages ADD COLUMN mine int",
        "ALTER TABLE messages DISABLE TRIGGER ALL",
        "ALTER ROLE CURRENT_USER SUPERUSER",
        "DROP TABLE messages CASCADE",
        "TRUNCATE messages CASCADE",
        "COPY (SELECT 1) TO PROGRAM 'cat'",
        "COPY (SELECT 1) TO '/tmp/mine'",
        "SELECT pg_read_file('/etc/passwd')",
        "UPDATE alembic_version SET version_num = '0001'",
        f"SET ROLE {USER}",
        f"GRANT {USER} TO {APP_USER}",
    ],
)
def test_it_can_change_nothing_but_rows(app_url: str, statement: str) -> None:
    with closing(psycopg2.connect(app_url)) as connection:
        connection.autocommit = True  # some of these may stand in no transaction
        with pytest.raises((errors.InsufficientPrivilege, errors.UndefinedFile)):
            connection.cursor().execute(statement)


def test_it_has_no_powers_and_owns_nothing(app_url: str) -> None:
    assert list_powers(app_url) == []
    with closing(psycopg2.connect(app_url)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_class WHERE relowner = current_user::regrole")
        assert cursor.fetchone() == (0,)


def test_rounds_and_jobs_are_done_as_it(make_settings: MakeSettings, app_url: str) -> None:
    product = Product(make_settings(database_url=app_url, memory_window_limit=5))
    conversing = Conversing(product)
    for number in range(8):
        conversing.round(f"My favourite number is {number}.")
        for due in conversing.due:
            do_job(product, due.kind, due.job_id)
        conversing.due.clear()
    assert find_breaches(product.database, read_settings(), quiet=False) == []
    product.close()


def test_tables_of_later_migrations_are_open_to_it(empty_database_url: str) -> None:
    app_url = as_application(empty_database_url)
    upgrade(empty_database_url)
    grant_application(empty_database_url, app_url)
    run(empty_database_url, "CREATE TABLE later (id bigint GENERATED ALWAYS AS IDENTITY, t text)")
    run(app_url, "INSERT INTO later (t) VALUES ('x')")
    with pytest.raises(errors.InsufficientPrivilege):
        run(app_url, "CREATE TEMPORARY TABLE mine (id int)")


def migrate(**environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "migrations"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_the_command_makes_the_role_that_the_address_names(empty_database_url: str) -> None:
    url = empty_database_url.replace(f"//{USER}@", '//plain%20"role":secret@')
    migrate(DATABASE_URL=url, MIGRATION_DATABASE_URL=empty_database_url)
    output = migrate(DATABASE_URL=url, MIGRATION_DATABASE_URL=empty_database_url)
    assert "may more than it needs" not in output
    try:
        run(url, ADD_ADA)
        assert list_powers(url) == []
    finally:
        run(empty_database_url, 'DROP OWNED BY "plain ""role"""; DROP ROLE "plain ""role"""')


def test_one_role_for_both_is_let_pass_and_told(empty_database_url: str) -> None:
    assert "rolsuper" in migrate(DATABASE_URL=empty_database_url)
