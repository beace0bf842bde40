from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from supervisor.embedded.folders import make_data_folder, make_socket_folder
from supervisor.embedded.service import start, stop
from supervisor.embedded.valkey import Valkey
from tests.integration.supervisor.embedded.conftest import Folders
from tests.waiting import wait_for


@contextmanager
def started(valkey: Valkey, folders: Folders) -> Iterator[subprocess.Popen[bytes]]:
    process = start(valkey, folders.log)
    try:
        yield process
    finally:
        stop(valkey, process)


@contextmanager
def connected(valkey: Valkey) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(valkey.url, decode_responses=True) as client:
        yield client


def is_written(client: redis.Redis) -> bool:
    """Whether the file has all commands. They are synced to the disk within a second."""
    return client.info("persistence")["aof_buffer_length"] == 0


def test_it_keeps_queues_rather_than_memory_limits(valkey: Valkey, folders: Folders) -> None:
    with started(valkey, folders), connected(valkey) as client:
        expected = {"maxmemory-policy": "noeviction", "appendonly": "yes", "port": "0"}
        assert client.config_get(*expected) == expected


def test_appended_data_survive_kill_9(valkey: Valkey, folders: Folders) -> None:
    with started(valkey, folders) as process:
        with connected(valkey) as client:
            client.rpush("queue", *range(1000))
            wait_for(lambda: is_written(client))
        process.kill()
        process.wait()
        with started(valkey, folders), connected(valkey) as client:
            assert client.llen("queue") == 1000


def test_data_survive_a_stop(valkey: Valkey, folders: Folders) -> None:
    with started(valkey, folders) as process, connected(valkey) as client:
        client.set("said", "hello")
    assert process.returncode == 0
    with started(valkey, folders), connected(valkey) as client:
        assert client.get("said") == "hello"


def test_a_socket_left_behind_does_not_stop_a_start(valkey: Valkey, folders: Folders) -> None:
    with started(valkey, folders) as process:
        process.kill()
        process.wait()
        assert valkey.socket.exists()
        with started(valkey, folders):
            assert valkey.is_ready()


def test_ready_means_the_server_of_this_folder(valkey: Valkey, folders: Folders) -> None:
    another = Valkey(folders.data / "another", folders.sockets, folders.owner)
    with started(valkey, folders):
        assert valkey.is_ready()
        assert not another.is_ready()


def test_its_socket_is_private(valkey: Valkey, folders: Folders) -> None:
    with started(valkey, folders):
        status = Path(valkey.socket).stat()
    assert (status.st_mode & 0o777, status.st_uid) == (0o700, folders.owner.uid)


def test_before_a_start_it_is_not_ready(valkey: Valkey) -> None:
    assert not valkey.is_ready()


@pytest.mark.parametrize("character", [" ", "ü", "?", "#"])
def test_any_data_folder_gives_a_url_that_works(folders: Folders, character: str) -> None:
    data = make_data_folder(folders.data / f"a{character}b", folders.owner)
    valkey = Valkey(data / "valkey", make_socket_folder(data, folders.owner), folders.owner)
    with started(valkey, folders):
        assert valkey.is_ready()
    valkey.socket.parent.rmdir()
