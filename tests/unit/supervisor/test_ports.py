from __future__ import annotations

import pytest

from supervisor.ports import list_metrics_ports, page_url


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),  # noqa: S104 - text, nothing listens
        ("::1", "http://[::1]:8000"),
        ("::", "http://[::1]:8000"),
        ("chat.example", "http://chat.example:8000"),
    ],
)
def test_a_browser_on_this_machine_finds_the_page(address: str, url: str) -> None:
    assert page_url(address, 8000) == url


def test_workers_and_beat_have_ports_of_their_own_for_metrics() -> None:
    names = ["web", "worker-llm.1", "worker-llm.2", "worker-embed", "beat", "flower"]
    counting = {"worker-llm.1": 9464, "worker-llm.2": 9465, "worker-embed": 9466, "beat": 9467}
    assert list_metrics_ports(9464, names) == counting
