from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from shared.llm.connections import CallConnection, connection_here
from tests.waiting import PATIENCE_S


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def test_who_waits_for_a_silent_socket_is_freed(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = pair
    connection = CallConnection()
    waiting = threading.Event()
    got = []

    def read() -> None:
        with connection.waiting_on(ours):
            waiting.set()
            got.append(ours.recv(1))

    reader = threading.Thread(target=read)
    reader.start()
    assert waiting.wait(PATIENCE_S)
    connection.hang_up()
    reader.join(PATIENCE_S)

    assert got == [b""]
    assert theirs.recv(1) == b""


def test_nothing_is_waited_for_after_hanging_up() -> None:
    connection = CallConnection()
    connection.hang_up()

    with pytest.raises(ConnectionAbortedError), connection.waiting_on(None):
        pass


def test_a_socket_that_is_no_longer_waited_for_stays_open(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    connection = CallConnection()
    with connection.waiting_on(ours):
        pass

    connection.hang_up()
    theirs.sendall(b"x")

    assert ours.recv(1) == b"x"


def test_a_closed_socket_is_no_trouble(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, _ = pair
    connection = CallConnection()
    with connection.waiting_on(ours):
        ours.close()
        connection.hang_up()

    assert connection.is_hung_up


def test_each_thread_has_its_own() -> None:
    connection = CallConnection()
    elsewhere = []
    with connection.in_this_thread():
        assert connection_here() is connection
        other = threading.Thread(target=lambda: elsewhere.append(connection_here()))
        other.start()
        other.join()

    assert (connection_here(), elsewhere) == (None, [None])
