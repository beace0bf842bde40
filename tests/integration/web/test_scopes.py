"""Every address says what it needs."""

from __future__ import annotations

import pytest

from tests.integration.web.conftest import Browser
from web.app import OPEN_ENDPOINTS
from web.requests.callers import Scope, scopes_of

pytestmark = pytest.mark.shares_sites


def test_every_view_declares_its_scopes_or_is_open(browser: Browser) -> None:
    app = browser.client.application
    undeclared = [
        endpoint
        for endpoint, view in app.view_functions.items()
        if endpoint not in OPEN_ENDPOINTS and scopes_of(view) is None
    ]
    assert undeclared == []


def test_only_reading_needs_no_more_than_reading(browser: Browser) -> None:
    """A token that may read only changes nothing, whatever the address."""
    app = browser.client.application
    only_reading: frozenset[Scope] = frozenset({"memory:read"})
    for rule in app.url_map.iter_rules():
        changes = (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}
        if changes and rule.endpoint not in OPEN_ENDPOINTS:
            assert scopes_of(app.view_functions[rule.endpoint]) != only_reading, rule
