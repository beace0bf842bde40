from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.outbound.connections import Bounds, CallConnection, connection_here
from tests.waiting import PATIENCE_S

BOUNDS = Bounds(whole_bytes=10, event_bytes=10, stream_bytes=10)


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def receive(connection: CallConnection, sock: socket.socket, waiting: threading.Event) -> bytes:
    with connection.waiting_on(sock):
        waiting.set()
        return sock.recv(1)


def close_and_hang_up(connection: CallConnection, sock: socket.socket) -> None:
    with connection.waiting_on(sock):
        sock.close()
        connection.hang_up()


def test_who_waits_for_a_silent_socket_is_freed_and_takes_its_end_for_no_answer(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    connection = CallConnection(BOUNDS)
    waiting = threading.Event()
    with ThreadPoolExecutor(1) as threads:
        reader = threads.submit(receive, connection, ours, waiting)
        assert waiting.wait(PATIENCE_S)
        connection.hang_up()
        with pytest.raises(ConnectionAbortedError):
            reader.result(PATIENCE_S)
    assert theirs.recv(1) == b""


def test_nothing_is_waited_for_after_hanging_up() -> None:
    connection = CallConnection(BOUNDS)
    connection.hang_up()

    with pytest.raises(ConnectionAbortedError), connection.waiting_on(None):
        pass


def test_a_socket_that_is_no_longer_waited_for_stays_open(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    connection = CallConnection(BOUNDS)
    with connection.waiting_on(ours):
        pass

    connection.hang_up()
    theirs.sendall(b"x")

    assert ours.recv(1) == b"x"


def test_a_closed_socket_is_no_trouble(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, _ = pair
    connection = CallConnection(BOUNDS)
    with pytest.raises(ConnectionAbortedError):
        close_and_hang_up(connection, ours)
    assert connection.is_hung_up


def test_each_thread_has_its_own() -> None:
    connection = CallConnection(BOUNDS)
    elsewhere = []
    with connection.in_this_thread():
        assert connection_here() is connection
        other = threading.Thread(target=lambda: elsewhere.append(connection_here()))
        other.start()
        other.join()

    assert (connection_here(), elsewhere) == (None, [None])
