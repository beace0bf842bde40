"""What the prompts hold, read back: the task, the transcript, the known facts, the memory block.

The block is read by its sections' headings, as `shared/policy/prompt.py` writes them; a test holds
the two together.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from shared.offline.grammar import word
from shared.offline.words import split_sentences

TASK = re.compile(r"Task: (\w+)")
MESSAGE = re.compile(
    r'<message seq="(\d+)" role="(\w+)"(?: at="([^"]*)")?>(.*?)</message>', re.DOTALL
)
KNOWN = re.compile(r'<known category="(\w+)" key="(\w+)">(.*?)</known>', re.DOTALL)
BLOCK = re.compile(r"<memory>(.*?)</memory>", re.DOTALL)
DAY = re.compile(r"\w+, (?P<date>\d{4}-\d\d-\d\d):$")
OWN_WORDS = "- Assistant: "  # what this assistant said, it said after the user's

Kind = Literal["fact", "earlier", "said", "here"]
SECTIONS: dict[str, Kind] = {
    "user profile": "fact",
    "earlier conversations": "earlier",
    "said before": "said",
    "this conversation so far": "here",
}
LINES: dict[Kind, re.Pattern[str]] = {
    "fact": re.compile(r"- \w+: (?P<key>\S+) = (?P<text>.*?)(?: \(since [\d-]+\))?$"),
    "earlier": re.compile(r"- (?:(?P<date>[\d-]+), [^:]*: )?(?P<text>.*)$"),
    "said": re.compile(r"- (?P<speaker>[^:]{1,60}): (?P<text>.*)$"),
    "here": re.compile(r"- (?:\[[\d-]+\] )?(?P<text>.*)$"),
}


@dataclass(frozen=True, kw_only=True)
class Said:
    """A message of the transcript."""

    seq: int
    role: str
    at: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Known:
    """A fact that is on record."""

    category: str
    key: str
    value: str


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


def read_task(messages: Sequence[Mapping[str, str]]) -> str:
    """The purpose, from the first line of the system prompt; `reply` where it names none."""
    found = TASK.match(system_text(messages))
    return found[1] if found else "reply"


def system_text(messages: Sequence[Mapping[str, str]]) -> str:
    return "\n".join(m["content"] for m in messages if m["role"] == "system")


def first_user_text(messages: Sequence[Mapping[str, str]]) -> str:
    """The input of a task. A later user message only asks for better JSON."""
    return next((m["content"] for m in messages if m["role"] == "user"), "")


def read_transcript(text: str) -> list[Said]:
    return [
        Said(seq=int(seq), role=role, at=at, text=html.unescape(content))
        for seq, role, at, content in MESSAGE.findall(text)
    ]


def read_known(text: str) -> list[Known]:
    return [
        Known(category=category, key=key, value=html.unescape(value))
        for category, key, value in KNOWN.findall(text)
    ]


def read_memory(messages: Sequence[Mapping[str, str]]) -> list[Remembered]:
    """All that a reply can draw on, the facts first and the newest last: the block, and the user's
    own earlier turns. No questions: they tell nothing, and the one that is asked would be answered
    best by itself.
    """
    found = BLOCK.search(system_text(messages))
    turns = (message["content"] for message in messages[:-1] if message["role"] == "user")
    told = [
        *(_read_block(found[1]) if found else ()),
        *(Remembered(text=one, kind="here") for turn in turns for one in split_sentences(turn)),
    ]
    return [one for one in told if one.kind == "fact" or not _asks(one.text)]


def _asks(text: str) -> bool:
    return text.endswith(("?", "？")) or bool(word("QUESTION").match(text))


def _read_block(block: str) -> Iterator[Remembered]:
    kind, day = None, ""
    for line in block.splitlines():
        if line.startswith("#"):
            kind, day = SECTIONS.get(line.strip("# ").lower()), ""
        elif dated := DAY.match(line):
            day = dated["date"]
        elif kind and not line.startswith(OWN_WORDS) and (found := LINES[kind].match(line)):
            parts = {name: html.unescape(part or "") for name, part in found.groupdict().items()}
            yield from _read_line(kind, {"date": day} | {k: v for k, v in parts.items() if v})


def _read_line(kind: Kind, parts: dict[str, str]) -> Iterator[Remembered]:
    text = parts.pop("text", "")
    if kind == "fact":
        yield Remembered(text=text, kind=kind, key=parts["key"])
        return
    for sentence in split_sentences(text):
        yield Remembered(text=sentence.removeprefix("User: "), kind=kind, **parts)
