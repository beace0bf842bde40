"""The file that health checks look at, touched by the real processes."""

from __future__ import annotations

import pytest

from tests.e2e.conftest import MakeSite
from tests.waiting import wait_for


@pytest.mark.parametrize("name", ["worker-llm", "worker-embed", "beat"])
def test_a_process_touches_its_file_as_long_as_it_works(make_site: MakeSite, name: str) -> None:
    site = make_site(SWEEP_EVERY_S="1")
    path = site.log_path(name).with_name("heartbeat")
    site.environment["HEARTBEAT_PATH"] = str(path)
    site.start(name)
    wait_for(path.exists, explain=site.log(name))
    path.unlink()
    wait_for(path.exists, explain=site.log(name))


@pytest.mark.parametrize("name", ["worker-llm", "beat"])
def test_a_process_without_its_broker_touches_nothing(make_site: MakeSite, name: str) -> None:
    site = make_site(SWEEP_EVERY_S="1")
    path = site.log_path(name).with_name("heartbeat")
    site.environment |= {"HEARTBEAT_PATH": str(path), "BROKER_URL": "redis://127.0.0.1:9/0"}
    site.start(name)
    wait_for(lambda: site.log(name)().count("Trying again") == 2, explain=site.log(name))
    assert site.running[name].poll() is None
    assert not path.exists()
