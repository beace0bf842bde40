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
class Place:
    """A data folder that the services' account can reach."""

    data: Path
    sockets: Path
    owner: Owner

    @property
    def log(self) -> Path:
        return self.data / "log"


@pytest.fixture
def place() -> Iterator[Place]:
    owner = find_owner()
    with private_folder() as folder:
        data = make_data_folder(folder / "data", owner)
        yield Place(data=data, sockets=make_socket_folder(data, owner), owner=owner)


@pytest.fixture
def postgres(place: Place) -> Postgres:
    return Postgres(place.data / "postgres", place.sockets, place.owner)


@pytest.fixture
def valkey(place: Place) -> Valkey:
    return Valkey(place.data / "valkey", place.sockets, place.owner)
