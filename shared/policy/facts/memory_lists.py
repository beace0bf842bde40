"""Cuts a pasted list of what another assistant remembers into its entries.

Such lists come as lines, bullets, numbers or prose, with dates, headings and talk around them. Only
marks are read here, so that it works in any language. What an entry says is read elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shared.policy.facts.values import MAX_VALUE_CHARS, clean_value

MAX_LIST_CHARS = 50_000
MAX_ENTRIES = 200
MARKS_OF_A_LINE = 4  # "- 3. [2025-04-01] "
MARKED_SHARE = 0.5  # of the lines without headings: from there on it is a list, with talk around it

_MARK = re.compile(
    r"\s*(?:[-*+•‣◦▪●·–—]|\(?\d{1,3}[.):、]|\[[ xX]?\]"
    r"|\[(?:unknown|\d[\d.:/\- T年月日]{3,18})\][.:]?|\d{4}-\d{2}(?:-\d{2})?\s?[:.–—-])(?=\s)"
)
_DATE_AT_END = re.compile(r"[(\[]\d[\d./-]{5,10}[)\]]\.?$")
_EMPHASIS = re.compile(r"\*\*|__")
_BOLD_LINE = re.compile(r"(?:\d{1,3}[.)]\s*)?(?:\*\*[^*]+\*\*|__[^_]+__)[:：]?")
_FENCE = re.compile(r"`{3,}\w*")
_LETTER = re.compile(r"[^\W\d_]")
_SENTENCE_END = re.compile(r"(?<=[.!?…؟।])\s+|(?<=[。！？])")
_ABBREVIATION = re.compile(r"(?:\b(?:[DM]r|Mrs|Ms|Prof|St|e\.g|i\.e|z\.B|approx|ca)|\b\w)\.$")
_QUOTES = {"“": "”", "„": "“", "«": "»", '"': '"', "‘": "’", "'": "'", "「": "」"}


@dataclass(frozen=True, kw_only=True)
class MemoryList:
    entries: tuple[str, ...]
    #: Headings, and the talk around a list.
    left_out: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class _Line:
    text: str
    is_marked: bool
    is_heading: bool
    #: A line that goes on with the bullet above it.
    is_indented: bool


def cut_list(text: str) -> MemoryList:
    """The entries in their order, each once."""
    lines = [line for raw in text.splitlines() for line in _read_line(raw)]
    marked = sum(line.is_marked for line in lines)
    plain = sum(not line.is_marked and not line.is_heading for line in lines)
    is_list = marked > 0 and marked >= MARKED_SHARE * (marked + plain)
    entries: list[str] = []
    left_out: list[str] = []
    is_in_entry = False
    for line in lines:
        if line.is_heading:
            left_out.append(line.text)
        elif line.is_marked or not is_list:
            entries += _split_entry(line)
        elif line.is_indented and is_in_entry:
            entries[-1] = f"{entries[-1]} {line.text}"
        else:
            left_out.append(line.text)
        is_in_entry = bool(entries) and (line.is_marked or (is_in_entry and line.is_indented))
    return MemoryList(entries=tuple(dict.fromkeys(entries)), left_out=tuple(left_out))


def _read_line(raw: str) -> Iterator[_Line]:
    """The line without its marks; none if it has no letter."""
    line = raw.strip()
    if _FENCE.fullmatch(line):
        return
    is_heading = line.startswith("#") or _BOLD_LINE.fullmatch(line) is not None
    text, is_marked = _without_marks(line)
    text = _without_quotes(clean_value(_EMPHASIS.sub("", text).lstrip("#")))
    if not _LETTER.search(text):
        return
    yield _Line(
        text=text,
        is_marked=is_marked and not is_heading,
        is_heading=is_heading or text.endswith((":", "：")),
        is_indented=raw[:1].isspace(),
    )


def _without_marks(line: str) -> tuple[str, bool]:
    """The line without the marks before it and the date behind it, and whether there were any."""
    begin = 0
    for _ in range(MARKS_OF_A_LINE):
        mark = _MARK.match(line, begin)
        if mark is None:
            break
        begin = mark.end()
    text = line[begin:].strip()
    date = _DATE_AT_END.search(text[-16:])
    return (text[: len(text) - len(date[0])].strip() if date else text), begin > 0


def _without_quotes(text: str) -> str:
    inner = text[1:-1]
    closing = _QUOTES.get(text[:1])
    return inner if closing and text.endswith(closing) and closing not in inner else text


def _split_entry(line: _Line) -> list[str]:
    """Prose is cut into sentences, a bullet only where it is too long for one fact."""
    if line.is_marked and len(line.text) <= MAX_VALUE_CHARS:
        return [line.text]
    sentences: list[str] = []
    for part in _SENTENCE_END.split(line.text):
        if sentences and _ABBREVIATION.search(sentences[-1][-8:]):
            sentences[-1] = f"{sentences[-1]} {part}"
        elif part:
            sentences.append(part)
    return sentences
