"""A Redis that hangs costs one timeout, not one for every command."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import pytest
import redis

from shared.ephemeral.client import connect_redis

TIMEOUT_S = 1.0


@pytest.fixture
def hanging_url() -> Iterator[str]:
    """A server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


def taken_s(client: redis.Redis) -> float:
    began = time.monotonic()
    with pytest.raises(redis.RedisError):
        client.ping()
    return time.monotonic() - began


def test_after_a_time_out_a_hanging_redis_is_left_alone_for_a_while(hanging_url: str) -> None:
    with connect_redis(hanging_url, socket_timeout_s=TIMEOUT_S) as client:
        assert taken_s(client) >= TIMEOUT_S
        assert max(taken_s(client) for _ in range(5)) < TIMEOUT_S


def test_pipelines_are_spared_too(hanging_url: str) -> None:
    with connect_redis(hanging_url, socket_timeout_s=TIMEOUT_S) as client:
        taken_s(client)
        began = time.monotonic()
        with pytest.raises(redis.RedisError), client.pipeline() as pipeline:
            pipeline.ping().execute()
        assert time.monotonic() - began < TIMEOUT_S


def test_one_that_answers_again_is_used_again(redis_url: str) -> None:
    with connect_redis(redis_url) as client:
        pool = client.connection_pool
        pool._paused_until = time.monotonic() + 0.2
        with pytest.raises(redis.ConnectionError):
            client.ping()
        time.sleep(0.3)
        assert client.ping()
