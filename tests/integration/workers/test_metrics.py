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
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        serve_metrics(Settings(metrics_port=port))
    [record] = [one for one in caplog.records if one.name == "workers.metrics"]
    assert (record.getMessage(), record.levelno) == ("metrics.not_served", logging.ERROR)
    assert vars(record)["port"] == port
