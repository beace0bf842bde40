"""A broker that dies while a worker holds a message."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kombu import Connection, Consumer, Queue

from shared.broker.address import broker_address
from shared.broker.redis_transport import register_transport
from shared.settings import read_settings
from supervisor.embedded.folders import make_data_folder, make_socket_folder
from supervisor.embedded.owner import find_owner
from supervisor.embedded.valkey import Valkey
from tests.e2e.breakable import Breakable
from tests.services import private_folder
from tests.waiting import PATIENCE_S, wait_for


@pytest.fixture
def broker() -> Iterator[Breakable]:
    with private_folder() as folder:
        owner = find_owner()
        data, sockets = make_data_folder(folder, owner), make_socket_folder(folder, owner)
        valkey = Breakable(Valkey(data / "valkey", sockets, owner), data / "log")
        valkey.start()
        yield valkey
        valkey.stop()


@pytest.fixture
def url(broker: Breakable) -> str:
    service = broker.service
    assert isinstance(service, Valkey)
    return broker_address(read_settings(redis_url=service.url)).url


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a fresh process: earlier tests have made kombu remember its own transport."""
    monkeypatch.setattr("kombu.transport._transport_cache", {})
    register_transport()


def take_without_acknowledging(connection: Connection, queue: Queue) -> None:
    messages: list[object] = []
    with connection.Producer() as producer:
        producer.publish({"id": 1}, routing_key=queue.name, declare=[queue])
    consumer = Consumer(connection.default_channel, [queue], on_message=messages.append)
    consumer.consume()
    while not messages:
        connection.drain_events(timeout=PATIENCE_S)


def test_a_connection_to_a_dead_broker_closes_with_a_message_in_hand(
    broker: Breakable, url: str
) -> None:
    connection = Connection(url)
    take_without_acknowledging(connection, Queue("jobs"))
    Consumer(connection.channel(), [Queue("others")], on_message=print).consume()
    with pytest.raises(TimeoutError):
        connection.drain_events(timeout=0.1)  # it waits for the next message now
    broker.kill()
    connection.collect(socket_timeout=0.1)  # what Celery's worker does then, and in this order
    connection.close()


def test_what_was_not_acknowledged_is_given_back_to_a_living_one(url: str) -> None:
    queue = Queue("jobs")
    with Connection(url) as connection:
        take_without_acknowledging(connection, queue)
    with Connection(url) as connection:
        assert queue(connection.default_channel).get() is not None


def test_a_channel_keeps_one_client_until_its_connections_are_closed(url: str) -> None:
    with Connection(url) as connection:
        channel = connection.default_channel
        with channel.conn_or_acquire() as first, channel.conn_or_acquire() as second:
            assert first is second
    with Connection(url) as connection:
        channel = connection.default_channel
        with channel.conn_or_acquire() as first:
            first.ping()
        channel._disconnect_pools()
        with channel.conn_or_acquire() as later:
            assert later is not first
            assert later.ping()


def test_a_channel_leaves_no_connection_open(url: str) -> None:
    with Connection(url) as observer, Connection(url) as connection:
        clients = observer.default_channel.client.client_list
        before = len(clients())
        take_without_acknowledging(connection, Queue("jobs"))
        connection.close()
        wait_for(lambda: len(clients()) == before)
        assert observer.SimpleQueue("jobs").get(timeout=PATIENCE_S).payload == {"id": 1}
