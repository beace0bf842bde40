"""The garbage collector of a web process leaves its event loop alone."""

from __future__ import annotations

import re

import httpx

from tests.e2e.site import START_S, Site
from tests.waiting import wait_for

# Measured: 265, most of them before the process is forked. By Python's own thresholds: 1,034.
FEW = 500


def test_a_web_process_is_loaded_with_few_collections(small_site: Site) -> None:
    wait_for(
        lambda: httpx.get(f"{small_site.url}/healthz?warm", timeout=60).is_success, 2 * START_S
    )
    metrics = httpx.get(f"{small_site.url}/metrics", timeout=60).text
    count = re.search(r'^python_gc_collections_total\{generation="0"\} (\S+)$', metrics, re.M)
    assert count is not None
    assert float(count[1]) < FEW
