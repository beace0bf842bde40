"""Derive the services, commands, addresses and environments of a start from the settings."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from shared.local_secrets import OFF, find_local_token, find_secret_key
from shared.settings import Settings, host_and_port
from shared.settings.flower import FLOWER_ADDRESS
from shared.settings.process_variables import choose_variables
from supervisor.account import account_environment, give_folders, may_listen
from supervisor.embedded.folders import make_data_folder, make_socket_folder
from supervisor.embedded.owner import Owner, find_owner
from supervisor.embedded.postgres import Postgres
from supervisor.embedded.runnable import Runnable
from supervisor.embedded.valkey import Valkey
from supervisor.environment import process_environment
from supervisor.errors import StartError
from supervisor.flower_password import read_or_make_password
from supervisor.ports import choose_port, list_metrics_ports, page_url
from supervisor.procfile import kind_of, parse_formation, parse_procfile, scale

BACKUP_WORKER = "worker-backup"


@dataclass(frozen=True, kw_only=True)
class Addresses:
    page: str
    flower: str
    #: Of each process that counts: host:port.
    metrics: Mapping[str, str]
    environment: Mapping[str, str]


def make_data_dir(settings: Settings, account: Owner) -> Path:
    """DATA_DIR as an absolute path, which the accounts of services and processes can reach."""
    is_embedded = not (settings.database_url and settings.redis_url)
    owner = find_owner() if is_embedded else account
    data_dir = make_data_folder(settings.data_dir, owner)
    give_folders(data_dir, account)
    return data_dir


def read_commands(procfile: Path, settings: Settings) -> dict[str, str]:
    try:
        text = procfile.read_text()
    except FileNotFoundError:
        raise StartError(f"There is no {procfile} here: start in the project's folder.") from None
    commands = parse_procfile(text)
    if not settings.backup_folder:
        commands.pop(BACKUP_WORKER, None)
    return scale(commands, parse_formation(settings.formation))


def choose_addresses(settings: Settings, names: Collection[str], account: Owner) -> Addresses:
    """The addresses of page and Flower. Raises StartError when a port is not available."""
    port, flower_port = settings.port, settings.flower_port
    if "web" in names:
        check_port("PORT", port, account)
        port = choose_port("PORT", settings.bind, port)
    if "flower" in names:
        check_port("FLOWER_PORT", flower_port, account)
        flower_port = choose_port("FLOWER_PORT", FLOWER_ADDRESS, flower_port)
    return Addresses(
        page=page_url(settings.bind, port),
        flower=page_url(FLOWER_ADDRESS, flower_port) + "/flower/",
        metrics=choose_metrics_addresses(settings, names, account),
        environment={"PORT": str(port), "FLOWER_PORT": str(flower_port)},
    )


def choose_metrics_addresses(
    settings: Settings, names: Collection[str], account: Owner
) -> dict[str, str]:
    """One for each process without a page. Raises StartError when its port is not available."""
    if settings.metrics_address is None:
        return {}
    host, first = settings.metrics_address
    ports = list_metrics_ports(first, names)
    for port in ports.values():
        check_port("METRICS_ADDRESS", port, account)
        choose_port("METRICS_ADDRESS", host, port)
    return {name: host_and_port(host, port) for name, port in ports.items()}


def check_port(variable: str, port: int, account: Owner) -> None:
    if not may_listen(port, account):
        raise StartError(
            f"{variable}={port}: the site runs as {account.name}, which may not listen on a port "
            f"as low as this. Set {variable} to 1024 or more, and put a proxy on the low one."
        )


def make_services(settings: Settings, data_dir: Path) -> list[Postgres | Valkey]:
    """The services without a URL in the settings.

    Raises EmbeddedServiceError when they cannot run on this machine.
    """
    if settings.database_url and settings.redis_url:
        return []
    owner = find_owner()
    sockets = make_socket_folder(data_dir, owner)
    services: list[Postgres | Valkey] = []
    if not settings.database_url:
        services.append(Postgres(data_dir / "postgres", sockets, owner))
    if not settings.redis_url:
        services.append(Valkey(data_dir / "valkey", sockets, owner))
    return services


def make_environment(
    settings: Settings,
    data_dir: Path,
    services: list[Postgres | Valkey],
    addresses: Addresses,
    account: Owner,
) -> dict[str, str]:
    added = {
        "DATA_DIR": str(data_dir),
        "LOCAL_TOKEN": find_local_token(settings, data_dir) or OFF,
        "SECRET_KEY": find_secret_key(settings, data_dir),  # the account may not write DATA_DIR
        "FLOWER_BASIC_AUTH": settings.flower_basic_auth or read_or_make_password(data_dir),
    }
    for service in services:
        if isinstance(service, Postgres):
            added |= {"DATABASE_URL": service.app_url, "MIGRATION_DATABASE_URL": service.url}
        else:
            added["REDIS_URL"] = service.url
    added |= account_environment(data_dir, account)
    return process_environment(
        os.environ, added | dict(addresses.environment), may_download=settings.embedding_download
    )


def make_programs(
    commands: Mapping[str, str],
    environment: Mapping[str, str],
    metrics: Mapping[str, str],
    account: Owner,
) -> list[Program]:
    """The programs of the Procfile. Each has what it needs of the environment."""
    addresses = {name: {"METRICS_ADDRESS": metrics.get(name, "")} for name in commands}
    return [
        Program(name, line, choose_variables(kind_of(name), environment) | addresses[name], account)
        for name, line in commands.items()
    ]


def find_owner_url(settings: Settings, services: Sequence[Postgres | Valkey]) -> str:
    """The database's address as its owner. Empty: migrations sign in as the application."""
    urls = [service.url for service in services if isinstance(service, Postgres)]
    return urls[0] if urls else settings.migration_database_url


def make_migration(
    environment: Mapping[str, str],
    account: Owner,
) -> Runnable:
    """The program that migrates the database, as the database's owner."""
    line = f"{shlex.quote(sys.executable)} -m migrations"
    return Program("migrate", line, choose_variables("migrate", environment), account)


class Program:
    """A program that is started by a shell command.

    The shell replaces itself by the command, so there is one process and `$$` is its id.
    """

    stop_signal = signal.SIGTERM
    folder = None

    def __init__(
        self, name: str, line: str, environment: Mapping[str, str], account: Owner
    ) -> None:
        self.name = name
        self.environment = environment
        self.identity = account.identity
        self._line = line

    def prepare(self) -> None:
        """Nothing to prepare."""

    def command(self) -> list[str]:
        return ["/bin/sh", "-c", f"exec {self._line}"]

    def is_ready(self) -> bool:
        return True  # no process waits for it
