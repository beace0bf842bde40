"""One Postgres and one Valkey for a whole test run, in a folder of their own."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import psycopg2
from psycopg2 import sql

from migrations import upgrade
from migrations.roles import grant_application
from shared.db import Database, PgConnection
from shared.models import UserId
from shared.services import Services as Product
from shared.settings import Settings
from supervisor.embedded.folders import make_data_folder, make_socket_folder
from supervisor.embedded.owner import find_owner
from supervisor.embedded.postgres import APP_USER, USER, Postgres
from supervisor.embedded.runnable import Runnable
from supervisor.embedded.service import start, stop
from supervisor.embedded.valkey import Valkey

TEMPLATE = "template_throughline"
SPARE_DATABASES = 2


class MakeSettings(Protocol):
    def __call__(self, **overrides: object) -> Settings: ...


@dataclass(frozen=True, kw_only=True)
class Services:
    postgres: Postgres
    valkey: Valkey
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _copying: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))
    _spare: deque[Future[str]] = field(default_factory=deque)

    @contextmanager
    def database(self, template: str = TEMPLATE) -> Iterator[str]:
        """The URL of a fresh copy of `template`, dropped afterwards whoever is still connected."""
        name = self._take_spare() if template == TEMPLATE else self._copy(template)
        try:
            yield self.postgres.url_of(name)
        finally:
            self._drop_database(name)

    def _take_spare(self) -> str:
        """The next copies are made while a test runs."""
        while len(self._spare) < SPARE_DATABASES:
            self._spare.append(self._copying.submit(self._copy, TEMPLATE))
        return self._spare.popleft().result()

    def _copy(self, template: str) -> str:
        name = f"test_{next(self._numbers)}"
        self.create_database(name, template)
        return name

    def close(self) -> None:
        self._copying.shutdown()

    def create_database(self, name: str, template: str) -> None:
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        self._execute(statement.format(sql.Identifier(name), sql.Identifier(template)))

    def _drop_database(self, name: str) -> None:
        statement = sql.SQL("DROP DATABASE {} WITH (FORCE)")
        self._execute(statement.format(sql.Identifier(name)))

    def _execute(self, statement: sql.Composed) -> None:
        connection = psycopg2.connect(self.postgres.url_of("postgres"))
        connection.autocommit = True  # neither statement may stand in a transaction
        try:
            with connection.cursor() as cursor:
                cursor.execute(statement)
        finally:
            connection.close()


def as_application(database_url: str) -> str:
    """The same database, for the role that the product's processes sign in as."""
    return database_url.replace(f"//{USER}@", f"//{APP_USER}@")


def owner_url(database_url: str) -> str:
    """The same database, for its owner, who sees the rows of all users."""
    return database_url.replace(f"//{APP_USER}@", f"//{USER}@")


def owner_database(product: Product) -> Database:
    return Database(owner_url(product.settings.database_url), pool_size=1)


@contextmanager
def as_owner(product: Product, user: UserId = UserId("ada")) -> Iterator[PgConnection]:  # noqa: B008
    """A transaction in which a test reads and writes the rows of all users.

    `user` is whose messages the functions of the database search.
    """
    database = owner_database(product)
    try:
        with database.transaction(user=user) as connection:
            yield connection
    finally:
        database.close()


@contextmanager
def running_services(*, durable: bool = False) -> Iterator[Services]:
    with private_folder() as folder, ExitStack() as stack:
        owner = find_owner()
        data, sockets = make_data_folder(folder, owner), make_socket_folder(folder, owner)
        postgres = Postgres(data / "postgres", sockets, owner, durable=durable)
        valkey = Valkey(data / "valkey", sockets, owner)
        for service in (postgres, valkey):
            stack.enter_context(running(service, data / f"{service.name}.log"))
        services = Services(postgres=postgres, valkey=valkey)
        services.create_database(TEMPLATE, "template0")
        upgrade(postgres.url_of(TEMPLATE))
        grant_application(postgres.url_of(TEMPLATE), postgres.url_of(TEMPLATE, APP_USER))
        stack.callback(services.close)
        yield services


@contextmanager
def running(service: Runnable, log: Path) -> Iterator[None]:
    process = start(service, log)
    try:
        yield
    finally:
        stop(service, process)


@contextmanager
def private_folder() -> Iterator[Path]:
    """A folder that any account may enter: Postgres, run by root, uses another account."""
    folder = Path(tempfile.mkdtemp(prefix="throughline-tests-")).resolve()
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
