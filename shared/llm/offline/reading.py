"""What the prompts hold, read back: the task, the transcript, the known facts."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

TASK = re.compile(r"Task: (\w+)")
MESSAGE = re.compile(
    r'<message seq="(\d+)" role="(\w+)"(?: at="([^"]*)")?>(.*?)</message>', re.DOTALL
)
KNOWN = re.compile(r'<known category="(\w+)" key="(\w+)">(.*?)</known>', re.DOTALL)


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
