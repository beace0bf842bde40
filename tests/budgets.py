"""How many random cases a property is tried with.

A few, and always the same ones, so that each run is like the one before. With `TESTS_LONG`
(`make test-long`) many more, and other ones each time.
"""

from __future__ import annotations

import os

from hypothesis import settings

IS_LONG = bool(os.environ.get("TESTS_LONG"))
LONGER = 20
EXAMPLES = 40  # of a property whose test names no number of its own


def choose_profile() -> None:
    """Set what hypothesis does in a test that says nothing of it. No case has a deadline."""
    settings.register_profile(
        "throughline",
        max_examples=count_cases(EXAMPLES),
        derandomize=not IS_LONG,
        database=None,
        deadline=None,
    )
    settings.load_profile("throughline")


def count_cases(few: int) -> int:
    """How many cases a test tries that takes `few` in a short run."""
    return few * LONGER if IS_LONG else few


def choose_seeds(*seeds: int) -> tuple[int, ...]:
    """All seeds in a long run, otherwise the first one."""
    return seeds if IS_LONG else seeds[:1]
