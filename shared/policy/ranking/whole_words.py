"""What is one word to the index although it has signs in it: addresses, hosts, paths, file names.

A name or a misspelt word within one is no word of its own: to replace it would make another
address of it, which nothing says.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

_JOINED = r"(?:[@.&=%#+?~]|:?[/\\]{1,3}|:(?=\d))"
COMPOUND = re.compile(rf"(?<![\w-])[\w-]+(?:{_JOINED}[\w-]+)+")


def find_whole(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches of `pattern` that are not a part of a compound. One may hold a compound."""
    compounds = [found.span() for found in COMPOUND.finditer(text)]
    starts = [start for start, _ in compounds]
    for match in pattern.finditer(text):
        around = bisect_right(starts, match.start()) - 1
        before = compounds[around] if around >= 0 else (0, 0)
        after = compounds[around + 1] if around + 1 < len(compounds) else (len(text), len(text))
        if _fits(match, before) and _fits(match, after):
            yield match


def replace_whole(
    pattern: re.Pattern[str], text: str, replace: Callable[[re.Match[str]], str]
) -> str:
    """As `pattern.sub` does, for what `find_whole` finds."""
    pieces, reached = [], 0
    for match in find_whole(pattern, text):
        pieces += [text[reached : match.start()], replace(match)]
        reached = match.end()
    return "".join([*pieces, text[reached:]])


def _fits(match: re.Match[str], compound: tuple[int, int]) -> bool:
    """Apart from the compound, or all around it."""
    start, end = compound
    is_apart = match.end() <= start or end <= match.start()
    return is_apart or (match.start() <= start and end <= match.end())
