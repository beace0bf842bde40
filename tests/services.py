"""One Postgres and one Valkey for a whole test run, in a folder of their own."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import redis

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
from tests.databases import APPLICATION, TEMPLATE, Databases

OWNERS_AT_ONCE = 8
#: The pools of `as_owner`, by address.
_owners: dict[str, Database] = {}


class MakeSettings(Protocol):
    def __call__(self, **overrides: object) -> Settings: ...


@dataclass(frozen=True, kw_only=True)
class Services:
    postgres: Postgres
    valkey: Valkey
    databases: Databases

    def empty_redis(self, number: int = 0) -> str:
        """The address of one of Valkey's 16 databases, emptied."""
        url = self.valkey.url.replace("?db=0", f"?db={number}")
        with redis.Redis.from_url(url) as client:
            client.flushdb()
        return url


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

    `user` is whose messages the functions of the database search. The connection is kept for the
    next call, and for the tests that get the database next: a new one takes more time than most
    of what is asked.
    """
    url = owner_url(product.settings.database_url)
    if url not in _owners:
        _owners[url] = Database(with_name(url), pool_size=OWNERS_AT_ONCE)
    with _owners[url].transaction(user=user) as connection:
        yield connection


def with_name(url: str) -> str:
    """The address for a connection that outlives its test."""
    return f"{url}{'&' if '?' in url else '?'}application_name={APPLICATION}"


@contextmanager
def running_services(*, durable: bool = False) -> Iterator[Services]:
    with private_folder() as folder, ExitStack() as stack:
        owner = find_owner()
        data, sockets = make_data_folder(folder, owner), make_socket_folder(folder, owner)
        postgres = Postgres(data / "postgres", sockets, owner, durable=durable)
        valkey = Valkey(data / "valkey", sockets, owner)
        for service in (postgres, valkey):
            stack.enter_context(running(service, data / f"{service.name}.log"))
        databases = stack.enter_context(closing(Databases(postgres)))
        databases.create(TEMPLATE, "template0")
        upgrade(postgres.url_of(TEMPLATE))
        grant_application(postgres.url_of(TEMPLATE), postgres.url_of(TEMPLATE, APP_USER))
        yield Services(postgres=postgres, valkey=valkey, databases=databases)


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
