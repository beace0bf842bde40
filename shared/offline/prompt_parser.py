"""Parse prompts: the task, the transcript, the known facts and what is remembered.

The sections of the blocks begin with the headings that `shared/policy/memory_block.py` writes. A
test holds the two together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from shared.offline.english_text import split_sentences
from shared.offline.grammar import regex
from shared.policy.escaping import unescape

TASK = re.compile(r"Task: (\w+)")
MESSAGE = re.compile(
    r'<message seq="(\d+)" role="(\w+)"(?: at="([^"]*)")?>(.*?)</message>', re.DOTALL
)
KNOWN = re.compile(r'<known category="(\w+)" key="(\w+)">(.*?)</known>', re.DOTALL)
FURTHER_LINE = re.compile(r"\n {2}\s*")  # of an item of a list
BLOCK = re.compile(r"<memory>(.*?)</memory>", re.DOTALL)
CONTEXT = re.compile(r"<context>\n(.*?)\n</context>\n\n", re.DOTALL)
FILE_HEAD = re.compile(r"From the file (?P<name>.*) in (?:the chat|an untitled chat)")
DAY = re.compile(r"\w+, (?P<date>\d{4}-\d\d-\d\d):$")
ASSISTANT_QUOTE = "- Assistant: "  # skipped: the assistant only answered what the user said

FILES = re.compile(r"<attachments>\n.*?\n</attachments>\n\n", re.DOTALL)
FILE = re.compile(r'<file name="([^"]*)"[^>]*>\n(.*?)\n</file>', re.DOTALL)

Kind = Literal["fact", "earlier", "said", "here", "file"]
SECTIONS: dict[str, Kind] = {
    "user profile": "fact",
    "new in the user profile": "fact",
    "earlier conversations": "earlier",
    "said before": "said",
    "in files of earlier messages": "file",
    "this conversation so far": "here",
}
LINES: dict[Kind, re.Pattern[str]] = {
    "fact": re.compile(
        r"- (?:The user's (?:(?P<category>preference|constraint|instruction)"
        r"(?: \((?P<name>[^)]*)\))?|(?P<key>[^:]+))|About the user): (?P<text>.*?)"
        r"(?: \((?:since|no longer|until) [^)]*\))?$"
    ),
    "earlier": re.compile(r"- (?:(?P<date>[\d-]+), [^:]*: )?(?P<text>.*)$"),
    "said": re.compile(r"- (?P<speaker>[^:]{1,60}): (?P<text>.*)$"),
    "here": re.compile(r"- (?:\[[\d-]+\] )?(?P<text>.*)$"),
    "file": re.compile(r"- (?:\[(?P<place>(?:page|slide|sheet) [^\]]{1,80})\] )?(?P<text>.*)$"),
}


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """A message of the transcript."""

    seq: int
    role: str
    at: str
    text: str


@dataclass(frozen=True, kw_only=True)
class KnownFact:
    """A fact that is on record."""

    category: str
    key: str
    value: str


@dataclass(frozen=True, kw_only=True)
class MemoryItem:
    """A fact, or a sentence that was said."""

    text: str
    kind: Kind
    key: str = ""  #: of a fact
    category: str = ""  #: of a fact
    date: str = ""  #: ISO, where the prompt gives one
    speaker: str = ""  #: of a quote; "User" is the user; of a file its name and place


def read_task(messages: Sequence[Mapping[str, str]]) -> str:
    """The task in the first line of the system prompt, or `reply`."""
    match = TASK.match(system_text(messages))
    return match[1] if match else "reply"


def system_text(messages: Sequence[Mapping[str, str]]) -> str:
    return "\n".join(m["content"] for m in messages if m["role"] == "system")


def first_user_text(messages: Sequence[Mapping[str, str]]) -> str:
    """The input of a task. Later user messages only ask for valid JSON."""
    return next((m["content"] for m in messages if m["role"] == "user"), "")


def read_transcript(text: str) -> list[Utterance]:
    return [
        Utterance(seq=int(seq), role=role, at=at, text=unescape(content))
        for seq, role, at, content in MESSAGE.findall(text)
    ]


def read_known(text: str) -> list[KnownFact]:
    return [
        KnownFact(category=category, key=key, value=unescape(value))
        for category, key, value in KNOWN.findall(text)
    ]


def read_memory(messages: Sequence[Mapping[str, str]]) -> list[MemoryItem]:
    """All that a reply can use: the two blocks, then the user's earlier messages.

    Questions are left out. They tell nothing, and a repeated question would match itself best.
    """
    block = BLOCK.search(system_text(messages))
    question = messages[-1]["content"] if messages else ""
    turns = (message["content"] for message in messages[:-1] if message["role"] == "user")
    items = [
        *(_read_block(block[1]) if block else ()),
        *_read_block(read_context(messages)),
        *(
            MemoryItem(text=sentence, kind="here")
            for turn in turns
            for sentence in split_sentences(turn)
        ),
        *_read_files(_without_context(question)),
    ]
    return [item for item in items if item.kind == "fact" or not _is_question(item.text)]


def read_context(messages: Sequence[Mapping[str, str]]) -> str:
    """What stands before the words of the new message."""
    match = CONTEXT.match(messages[-1]["content"]) if messages else None
    return match[1] if match else ""


def own_words(text: str) -> str:
    """The user's, of the new message."""
    text = _without_context(text)
    return FILES.sub("", text, count=1) if text.startswith("<attachments>") else text


def _without_context(text: str) -> str:
    match = CONTEXT.match(text)
    return text[match.end() :] if match else text


def _read_files(text: str) -> Iterator[MemoryItem]:
    block = FILES.match(text)
    for name, body in FILE.findall(block[0]) if block else ():
        for line in body.splitlines():
            for sentence in split_sentences(line):
                yield MemoryItem(text=sentence, kind="file", speaker=unescape(name))


def _is_question(text: str) -> bool:
    return text.endswith(("?", "？", "؟")) or bool(regex("QUESTION").match(text))


def _read_block(block: str) -> Iterator[MemoryItem]:
    kind, head = None, dict[str, str]()
    for line in FURTHER_LINE.sub(" ", block).splitlines():
        if line.startswith("#"):
            kind, head = SECTIONS.get(line.strip("# ").lower()), {}
        elif dated := DAY.match(line):
            head = {"date": dated["date"]}
        elif kind == "file" and (heading := FILE_HEAD.match(line)):
            head = {"speaker": unescape(heading["name"])}
        elif kind and not line.startswith(ASSISTANT_QUOTE) and (match := LINES[kind].match(line)):
            parts = {name: unescape(part or "") for name, part in match.groupdict().items()}
            yield from _read_line(kind, head | {k: v for k, v in parts.items() if v})


def _read_line(kind: Kind, parts: dict[str, str]) -> Iterator[MemoryItem]:
    text = parts.pop("text", "")
    if place := parts.pop("place", ""):
        parts["speaker"] = f"{parts['speaker']}, {place}"
    if kind == "fact":
        key = parts.get("key") or parts.get("name") or "statement"
        category = parts.get("category", "identity")
        yield MemoryItem(text=text, kind=kind, key=key.replace(" ", "_"), category=category)
        return
    for sentence in split_sentences(text):
        yield MemoryItem(text=sentence.removeprefix("User: "), kind=kind, **parts)
