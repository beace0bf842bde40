from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from supervisor.embedded.folders import make_data_folder, make_socket_folder
from supervisor.embedded.owner import Owner, find_owner
from supervisor.embedded.postgres import Postgres
from supervisor.embedded.valkey import Valkey
from tests.services import private_folder


@dataclass(frozen=True, kw_only=True)
class Folders:
    """A data folder that the services' account can reach."""

    data: Path
    sockets: Path
    owner: Owner

    @property
    def log(self) -> Path:
        return self.data / "log"


@pytest.fixture
def folders() -> Iterator[Folders]:
    owner = find_owner()
    with private_folder() as folder:
        data = make_data_folder(folder / "data", owner)
        yield Folders(data=data, sockets=make_socket_folder(data, owner), owner=owner)


@pytest.fixture
def postgres(folders: Folders) -> Postgres:
    return Postgres(folders.data / "postgres", folders.sockets, folders.owner)


@pytest.fixture
def valkey(folders: Folders) -> Valkey:
    return Valkey(folders.data / "valkey", folders.sockets, folders.owner)
