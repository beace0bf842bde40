"""A cache of what is computed from texts. It is bounded by their length, too.

A message may have a hundred thousand characters, and an imported one millions. A cache that counts
entries alone would keep hundreds of these.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

SHORT_CHARS = 2000
LONG_COUNT = 4  # enough for a text that is asked about several times in a row

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def cached_by_text(
    count: int, text_of: Callable[[Any], str] = str
) -> Callable[[Callable[[K], V]], Callable[[K], V]]:
    """Keep the results for the last `count` short texts, and for `LONG_COUNT` longer ones."""

    def decorate(compute: Callable[[K], V]) -> Callable[[K], V]:
        short = functools.lru_cache(count)(compute)
        long = functools.lru_cache(LONG_COUNT)(compute)

        @functools.wraps(compute)
        def cached(key: K) -> V:
            return short(key) if len(text_of(key)) <= SHORT_CHARS else long(key)

        return cached

    return decorate
