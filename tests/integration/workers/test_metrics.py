"""The port of a worker's metrics."""

from __future__ import annotations

import logging
import socket

import pytest

from shared.settings import Settings
from workers.metrics import serve_metrics


def test_a_port_that_is_taken_is_told_and_nothing_else_happens(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        serve_metrics(Settings(metrics_address=("127.0.0.1", port)))
    [record] = [entry for entry in caplog.records if entry.name == "workers.metrics"]
    assert (record.getMessage(), record.levelno) == ("metrics.not_served", logging.ERROR)
    assert vars(record)["port"] == port
