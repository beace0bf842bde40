"""Read `conversations.txt`: `# title`, `> user`, `< reply`; indented lines continue a message.

`<<log 14000>>` stands for that many characters of a log.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path

FILE = Path(__file__).with_suffix(".txt")
LOG = re.compile(r"<<log (\d+)>>")
INDENT = "    "


@dataclass
class Talk:
    """The texts in `said` alternate between user and assistant, from the user on."""

    title: str
    messages: list[str] = field(default_factory=list)

    @property
    def rounds(self) -> list[tuple[str, str]]:
        return list(zip(self.messages[::2], self.messages[1::2], strict=True))


def read_talks() -> list[Talk]:
    talks: list[Talk] = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        mark, _, text = line.partition(" ")
        if mark == "#":
            talks.append(Talk(title=text))
        elif mark in "<>" and mark:
            _check_turn(talks[-1], mark)
            talks[-1].messages.append(text)
        elif line.startswith(INDENT):
            talks[-1].messages[-1] += "\n" + LOG.sub(_log, line.removeprefix(INDENT))
        elif line:
            raise SystemExit(f"{FILE.name}: {line!r} is no message")
    return talks


def _check_turn(talk: Talk, mark: str) -> None:
    if mark != "><"[len(talk.messages) % 2]:
        raise SystemExit(f"{FILE.name}: {talk.title}: message {len(talk.messages)} is out of turn")


def _log(match: re.Match[str]) -> str:
    length = int(match[1])
    lines = (_log_line(number) for number in itertools.count())
    text = ""
    while len(text) < length:
        text += next(lines)
    return text[:length]


def _log_line(number: int) -> str:
    at = 2 * 3600 + 10 * 60 + number * 7
    clock = f"{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}"
    backend, status = f"b{number % 3 + 1}", 503 if number % 5 == 3 else 200
    path = f"/orders/{1000 + number * 37 % 9000}"
    return f"{clock} {backend} GET {path} {status} {number * 13 % 900}ms\n"
