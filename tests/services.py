"""One Postgres and one Valkey for a whole test run, in a folder of their own."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import psycopg2
from psycopg2 import sql

from migrations import upgrade
from shared.embedded.folders import make_data_folder, make_socket_folder
from shared.embedded.owner import find_owner
from shared.embedded.postgres import Postgres, create_database
from shared.embedded.running import start, stop
from shared.embedded.service import Service
from shared.embedded.valkey import Valkey
from shared.settings import Settings

TEMPLATE = "template_throughline"


class MakeSettings(Protocol):
    def __call__(self, **overrides: object) -> Settings: ...


@dataclass(frozen=True, kw_only=True)
class Services:
    postgres: Postgres
    valkey: Valkey
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    @contextmanager
    def database(self, template: str = TEMPLATE) -> Iterator[str]:
        """The URL of a fresh copy of `template`, dropped afterwards whoever is still connected."""
        name = f"test_{next(self._numbers)}"
        create_database(self.postgres.url_of("postgres"), name, template=template)
        try:
            yield self.postgres.url_of(name)
        finally:
            self._drop_database(name)

    def _drop_database(self, name: str) -> None:
        connection = psycopg2.connect(self.postgres.url_of("postgres"))
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
        connection.close()


@contextmanager
def running_services() -> Iterator[Services]:
    with private_folder() as folder, ExitStack() as stack:
        owner = find_owner()
        data, sockets = make_data_folder(folder, owner), make_socket_folder(folder, owner)
        postgres = Postgres(data / "postgres", sockets, owner, durable=False)
        valkey = Valkey(data / "valkey", sockets, owner)
        for service in (postgres, valkey):
            stack.enter_context(running(service, data / f"{service.name}.log"))
        create_database(postgres.url_of("postgres"), TEMPLATE)
        upgrade(postgres.url_of(TEMPLATE))
        yield Services(postgres=postgres, valkey=valkey)


@contextmanager
def running(service: Service, log: Path) -> Iterator[None]:
    process = start(service, log)
    try:
        yield
    finally:
        stop(service, process)


@contextmanager
def private_folder() -> Iterator[Path]:
    """Not pytest's: as root those are closed to the account that Postgres runs as."""
    folder = Path(tempfile.mkdtemp(prefix="throughline-tests-")).resolve()
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
