"""Tests wait for what they need, and for no time."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
OF_AN_EXPRESSION = re.compile(r"""wait_for_function\(\s*["'](?!\(\) =>|\w+ =>)""")


def test_no_test_of_the_page_waits_for_a_time() -> None:
    """Ruff forbids `time.sleep` in tests (tests/ruff.toml), but sees no method of Playwright's."""
    files = set(TESTS.rglob("*.py")) - {Path(__file__)}
    assert [path for path in files if "wait_for_timeout(" in path.read_text()] == []


def test_no_test_of_the_page_waits_for_an_expression() -> None:
    """Playwright evaluates it anew each time, which the Content Security Policy allows but once."""
    files = set(TESTS.rglob("*.py")) - {Path(__file__)}
    assert [path for path in files if OF_AN_EXPRESSION.search(path.read_text())] == []
