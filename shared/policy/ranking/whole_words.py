"""Find words that are not part of an address, host, path or file name.

The index reads such a compound as one word. If a part of it were replaced, the result would be
another address, and no message would contain it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

_JOINED = r"(?:[@.&=%#+?~]|:?[/\\]{1,3}|:(?=\d))"
COMPOUND = re.compile(rf"(?<![\w-])[\w-]+(?:{_JOINED}[\w-]+)+")


def find_whole(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches of `pattern` that are not part of a compound. A match may contain a compound."""
    compounds = [compound.span() for compound in COMPOUND.finditer(text)]
    starts = [start for start, _ in compounds]
    for match in pattern.finditer(text):
        around = bisect_right(starts, match.start()) - 1
        before = compounds[around] if around >= 0 else (0, 0)
        after = compounds[around + 1] if around + 1 < len(compounds) else (len(text), len(text))
        if not (_is_part_of(before, match) or _is_part_of(after, match)):
            yield match


def replace_whole(
    pattern: re.Pattern[str], text: str, replace: Callable[[re.Match[str]], str]
) -> str:
    """Like `pattern.sub`, but only for the matches of `find_whole`."""
    return replace_matches(text, find_whole(pattern, text), replace)


def replace_matches(
    text: str, matches: Iterable[re.Match[str]], replace: Callable[[re.Match[str]], str]
) -> str:
    """The text with other words at the places of those matches that lie in it."""
    pieces, reached = list[str](), 0
    for match in matches:
        if match.end() <= len(text):
            pieces += [text[reached : match.start()], replace(match)]
            reached = match.end()
    return "".join([*pieces, text[reached:]])


def _is_part_of(compound: tuple[int, int], match: re.Match[str]) -> bool:
    """Whether the match overlaps the compound but does not contain all of it."""
    start, end = compound
    overlaps = match.start() < end and start < match.end()
    return overlaps and not (match.start() <= start and end <= match.end())
