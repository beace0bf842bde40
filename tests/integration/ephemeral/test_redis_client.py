"""A Redis that hangs costs one timeout, not one for every command."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from unittest.mock import Mock

import pytest
import redis
from redis.sentinel import SentinelConnectionPool

from shared.ephemeral.redis_client import connect_redis
from tests.waiting import PATIENCE_S

TIMEOUT_S = 0.2
LEFT_ALONE = "did not answer a moment ago"


@pytest.fixture
def hanging_url() -> Iterator[str]:
    """A server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


def test_after_a_time_out_a_hanging_redis_is_left_alone_for_a_while(hanging_url: str) -> None:
    with connect_redis(hanging_url, socket_timeout_s=TIMEOUT_S) as client:
        with pytest.raises(redis.TimeoutError):
            client.ping()
        for _ in range(5):
            with pytest.raises(redis.ConnectionError, match=LEFT_ALONE):
                client.ping()


def test_pipelines_are_spared_too(hanging_url: str) -> None:
    with connect_redis(hanging_url, socket_timeout_s=TIMEOUT_S) as client:
        with pytest.raises(redis.TimeoutError):
            client.ping()
        with (
            pytest.raises(redis.ConnectionError, match=LEFT_ALONE),
            client.pipeline() as pipeline,
        ):
            pipeline.ping().execute()


def test_a_closed_one_opens_no_connection_again(redis_url: str) -> None:
    client = connect_redis(redis_url)
    assert client.ping()
    client.connection_pool.close()
    with pytest.raises(redis.ConnectionError):
        client.ping()


def test_to_close_one_closes_the_connections_to_its_sentinels() -> None:
    pool = connect_redis("sentinel://127.0.0.1:1?master=main").connection_pool
    assert isinstance(pool, SentinelConnectionPool)
    sentinel = Mock()
    pool.sentinel_manager.sentinels = [sentinel]
    pool.close()
    sentinel.close.assert_called_once_with()


def test_one_that_answers_again_is_used_again(redis_url: str) -> None:
    with connect_redis(redis_url) as client:
        pool = client.connection_pool
        pool._paused_until = time.monotonic() + PATIENCE_S
        with pytest.raises(redis.ConnectionError, match=LEFT_ALONE):
            client.ping()
        pool._paused_until = time.monotonic()
        assert client.ping()
