"""What a reply may draw on: the `<memory>` block and the earlier messages.

The block is read by its headings and lines alone, so that its exact form may change: lines
under a heading with "profile" or "facts" are facts (`key: value`), lines under one with
"earlier" come from other conversations (a date in a line holds for those after it), all
others from this one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from shared.llm.offline.reading import system_text
from shared.llm.offline.words import split_sentences

BLOCK = re.compile(r"<memory\b[^>]*>(.*?)</memory>", re.DOTALL)
DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
HEADING = re.compile(r"\s*(?:#+\s*(.+)|\*\*(.+?)\*\*:?|<([a-z_ -]+)>|([\w ()]+):?)\s*$", re.I)
TITLES = {"profile": "fact", "facts": "fact", "earlier": "earlier", "so far": "here"}
FACT = re.compile(
    r"(?:\W*(?:identity|preference|constraint|instruction)\W+)?([\w ]{1,64}?)\s*[:=]\s*(.+)"
)
LEAD = re.compile(r"^[\s*•–—-]*(?:\[[^\]]*\]|\([^)]*\))?[\s:–—-]*(?:User: )?")
TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
MAX_HEADING_CHARS = 60

Kind = Literal["fact", "earlier", "here"]


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """A sentence, or a fact with its key; `date` as it was written, where one was."""

    text: str
    kind: Kind
    key: str = ""
    date: str = ""


def read_memory(messages: Sequence[Mapping[str, str]]) -> list[Remembered]:
    """All that can be drawn on, the facts first and the newest last."""
    found = BLOCK.search(system_text(messages))
    return [*(_read_block(found[1]) if found else ()), *_read_earlier_messages(messages)]


def _read_block(block: str) -> Iterator[Remembered]:
    kind: Kind = "here"
    date = ""
    for line in block.splitlines():
        heading = _read_heading(line)
        if heading:
            kind, date = heading, ""
            continue
        found = DATE.search(line)
        date = found[0] if found else date
        yield from _read_line(line, kind, date)


def _read_heading(line: str) -> Kind | None:
    if len(line) > MAX_HEADING_CHARS or not HEADING.match(line):
        return None
    kinds = (kind for title, kind in TITLES.items() if title in line.lower())
    return next(kinds, None)  # type: ignore[arg-type]  # the values of TITLES are Kinds


def _read_line(line: str, kind: Kind, date: str) -> Iterator[Remembered]:
    text = LEAD.sub("", html.unescape(TAG.sub("", line)))
    fact = FACT.fullmatch(text) if kind == "fact" else None
    if fact:
        yield Remembered(text=fact[2].strip(), kind="fact", key=fact[1].strip().replace(" ", "_"))
        return
    for sentence in split_sentences(text):
        yield Remembered(text=sentence, kind=kind, date=date if kind == "earlier" else "")


def _read_earlier_messages(messages: Sequence[Mapping[str, str]]) -> Iterator[Remembered]:
    """The user's own words; what the assistant said was only said after them."""
    for message in messages[:-1]:
        if message["role"] == "user":
            for sentence in split_sentences(message["content"]):
                if not sentence.endswith("?"):
                    yield Remembered(text=sentence, kind="here")
