from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from supervisor.embedded.folders import make_data_folder, make_socket_folder
from supervisor.embedded.service import start, stop
from supervisor.embedded.valkey import Valkey
from tests.integration.supervisor.embedded.conftest import Place


@contextmanager
def started(valkey: Valkey, place: Place) -> Iterator[subprocess.Popen[bytes]]:
    process = start(valkey, place.log)
    try:
        yield process
    finally:
        stop(valkey, process)


@contextmanager
def connected(valkey: Valkey) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(valkey.url, decode_responses=True) as client:
        yield client


def test_it_keeps_queues_rather_than_memory_limits(valkey: Valkey, place: Place) -> None:
    with started(valkey, place), connected(valkey) as client:
        wanted = {"maxmemory-policy": "noeviction", "appendonly": "yes", "port": "0"}
        assert client.config_get(*wanted) == wanted


def test_appended_data_survive_kill_9(valkey: Valkey, place: Place) -> None:
    with started(valkey, place) as process:
        with connected(valkey) as client:
            client.rpush("queue", *range(1000))
        time.sleep(0.1)  # written to the file at once, synced within a second
        process.kill()
        process.wait()
        with started(valkey, place), connected(valkey) as client:
            assert client.llen("queue") == 1000


def test_data_survive_a_stop(valkey: Valkey, place: Place) -> None:
    with started(valkey, place) as process, connected(valkey) as client:
        client.set("said", "hello")
    assert process.returncode == 0
    with started(valkey, place), connected(valkey) as client:
        assert client.get("said") == "hello"


def test_a_socket_left_behind_does_not_stop_a_start(valkey: Valkey, place: Place) -> None:
    with started(valkey, place) as process:
        process.kill()
        process.wait()
        assert valkey.socket.exists()
        with started(valkey, place):
            assert valkey.is_ready()


def test_ready_means_the_server_of_this_folder(valkey: Valkey, place: Place) -> None:
    another = Valkey(place.data / "another", place.sockets, place.owner)
    with started(valkey, place):
        assert valkey.is_ready()
        assert not another.is_ready()


def test_its_socket_is_private(valkey: Valkey, place: Place) -> None:
    with started(valkey, place):
        found = Path(valkey.socket).stat()
    assert (found.st_mode & 0o777, found.st_uid) == (0o700, place.owner.uid)


def test_before_a_start_it_is_not_ready(valkey: Valkey) -> None:
    assert not valkey.is_ready()


@pytest.mark.parametrize("character", [" ", "ü", "?", "#"])
def test_any_data_folder_gives_a_url_that_works(place: Place, character: str) -> None:
    data = make_data_folder(place.data / f"a{character}b", place.owner)
    valkey = Valkey(data / "valkey", make_socket_folder(data, place.owner), place.owner)
    with started(valkey, place):
        assert valkey.is_ready()
    valkey.socket.parent.rmdir()
