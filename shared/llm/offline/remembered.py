"""What a reply may draw on: the `<memory>` block and the earlier messages.

The block is read as `shared/policy/prompt.py` writes it; a test holds the two together.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from shared.llm.offline.reading import system_text
from shared.llm.offline.words import split_sentences

Kind = Literal["fact", "earlier", "said", "here"]

BLOCK = re.compile(r"<memory>(.*?)</memory>", re.DOTALL)
LINES: dict[Kind, re.Pattern[str]] = {
    "fact": re.compile(r"- \w+: (?P<key>\S+) = (?P<text>.*?)(?: \(since [\d-]+\))?$"),
    "earlier": re.compile(r"- (?:(?P<date>[\d-]+), [^:]*: )?(?P<text>.*)$"),
    "said": re.compile(r"- (?P<speaker>[^:]{1,60}): (?P<text>.*)$"),
    "here": re.compile(r"- (?:\[[\d-]+\] )?(?P<text>.*)$"),
}
DAY = re.compile(r"\w+, (?P<date>\d{4}-\d\d-\d\d):$")
OWN_WORDS = "- Assistant: "  # what this assistant said, it said after the user's
HEADINGS: dict[str, Kind] = {
    "## User Profile": "fact",
    "## Earlier conversations": "earlier",
    "## Said before": "said",
    "## This conversation so far": "here",
}


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """A fact with its key, or a sentence.

    `date` as it was written, where one was; `speaker` where it is a quote, "User" the user.
    """

    text: str
    kind: Kind
    key: str = ""
    date: str = ""
    speaker: str = ""


def read_memory(messages: Sequence[Mapping[str, str]]) -> list[Remembered]:
    """All that can be drawn on, the facts first and the newest last. No questions: they tell
    nothing, and the one that is asked would be answered best by itself.
    """
    found = BLOCK.search(system_text(messages))
    told = [*(_read_block(found[1]) if found else ()), *_read_earlier_messages(messages)]
    return [one for one in told if not one.text.endswith("?")]


def _read_block(block: str) -> Iterator[Remembered]:
    kind: Kind | None = None
    day = ""
    for line in block.splitlines():
        if line.strip() in HEADINGS:
            kind, day = HEADINGS[line.strip()], ""
        elif dated := DAY.match(line):
            day = dated["date"]
        elif kind and not line.startswith(OWN_WORDS) and (found := LINES[kind].match(line)):
            yield from _read_line(kind, found.groupdict(), day)


def _read_line(kind: Kind, parts: dict[str, str | None], day: str) -> Iterator[Remembered]:
    text = html.unescape(parts["text"] or "")
    if kind == "fact":
        yield Remembered(text=text, kind=kind, key=parts["key"] or "")
        return
    for sentence in split_sentences(text):
        own = sentence.removeprefix("User: ")
        told_on, speaker = parts.get("date") or day, html.unescape(parts.get("speaker") or "")
        yield Remembered(text=own, kind=kind, date=told_on, speaker=speaker)


def _read_earlier_messages(messages: Sequence[Mapping[str, str]]) -> Iterator[Remembered]:
    """The user's own words; what this assistant said, it said after them."""
    told = (message["content"] for message in messages[:-1] if message["role"] == "user")
    for sentence in (sentence for text in told for sentence in split_sentences(text)):
        yield Remembered(text=sentence, kind="here")
