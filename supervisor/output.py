"""The output of all children, split into lines: written to their logs, and printed if wanted."""

from __future__ import annotations

import os
import re
import selectors
import subprocess
import sys
import time
from collections import defaultdict, deque
from pathlib import Path

from supervisor.embedded.postgres import Postgres
from supervisor.log_file import write_line

LAST_LINES = 12  # of a process that fails
MAX_LINE_CHARS = 8_192  # limits the memory for a child that never ends its line
_POSTGRES_WORD = re.compile(r"[A-Z]+:  ")  # of a new line of its log
_COLOURS = (36, 33, 32, 35, 34, 96, 93)  # ANSI: cyan, yellow, green …

OWN_NAME = "throughline"


class Output:
    """All of it is in `logs`. If quiet, the console has what the supervisor says to people.

    Without a folder for logs the console has all.
    """

    def __init__(
        self, width: int = len(OWN_NAME), *, logs: Path | None = None, is_quiet: bool = False
    ) -> None:
        self._selector = selectors.DefaultSelector()
        self._width = width
        self._logs = logs
        self._is_quiet = is_quiet
        self._colours: dict[str, int] | None = {} if sys.stdout.isatty() else None
        self._last_lines: dict[str, deque[str]] = defaultdict(lambda: deque(maxlen=LAST_LINES))

    def say(self, line: str) -> None:
        """Tell people something."""
        self._write_log(OWN_NAME, line)
        self._print(OWN_NAME, line)

    def note(self, line: str, name: str = OWN_NAME) -> None:
        """Write to a log what few people want to see."""
        self._write_log(name, line)
        if self._is_quiet:
            self._last_lines[name].append(line)
        else:
            self._print(name, line)

    def say_last_lines(self, name: str) -> None:
        """Print the end of what a process has printed, unless the console has it already."""
        for _ in range(2):  # what waits in its pipe, then the end of the pipe
            self.forward(0.0)
        for line in self._last_lines.pop(name, ()):
            self._print(name, line)

    def follow(self, name: str, process: subprocess.Popen[bytes]) -> None:
        """Read the process's output until every holder of its pipe has closed it."""
        if process.stdout is not None:
            splitter = PostgresLines() if name == Postgres.name else LineSplitter()
            self._selector.register(process.stdout, selectors.EVENT_READ, (name, splitter))

    def forward(self, limit_s: float) -> None:
        """Wait for output for at most `limit_s`, and note it."""
        if not self._selector.get_map():  # not every system waits with an empty selector
            limit_s = min(limit_s, 0.05)
        for key, _ in self._selector.select(limit_s):
            self._read(key)

    def drain(self, limit_s: float = 1.0) -> None:
        """Note the last output of processes that have ended."""
        deadline = time.monotonic() + limit_s
        while self._selector.get_map() and time.monotonic() < deadline:
            self.forward(0.05)

    def _read(self, key: selectors.SelectorKey) -> None:
        name, splitter = key.data
        data = os.read(key.fd, 65_536)
        for line in splitter.feed(data) if data else splitter.end():
            self.note(line, name)
        if not data:
            self._selector.unregister(key.fileobj)
            key.fileobj.close()  # type: ignore[union-attr]

    def _write_log(self, name: str, line: str) -> None:
        if self._logs is not None:
            write_line(self._logs / f"{name}.log", line)

    def _print(self, name: str, line: str) -> None:
        is_plain = self._is_quiet and name == OWN_NAME
        text = line if is_plain else with_prefix(name, self._width, line, self._colour(name))
        try:
            print(text, flush=True)
        except BrokenPipeError:  # nobody reads our output (`make run | head`): the children go on
            with open(os.devnull, "w") as nowhere:
                os.dup2(nowhere.fileno(), sys.stdout.fileno())
        except OSError:  # it goes to a file on a full disk: this line is lost, later ones may not
            pass

    def _colour(self, name: str) -> int | None:
        if self._colours is None:
            return None
        return self._colours.setdefault(name, len(self._colours))


class LineSplitter:
    """Keeps an unfinished line until its end comes."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > MAX_LINE_CHARS:
            lines, self._rest = [*lines, self._rest], b""
        return [_text(line) for line in lines]

    def end(self) -> list[str]:
        rest, self._rest = self._rest, b""
        return [_text(rest)] if rest else []


class PostgresLines(LineSplitter):
    """Leaves out statements: Postgres names that of a PANIC, whatever its settings say."""

    _is_statement = False

    def feed(self, data: bytes) -> list[str]:
        return [line for line in super().feed(data) if self._is_shown(line)]

    def end(self) -> list[str]:
        return [line for line in super().end() if self._is_shown(line)]

    def _is_shown(self, line: str) -> bool:
        """The other lines of a statement begin with none of the server's words."""
        if _POSTGRES_WORD.match(line):
            self._is_statement = line.startswith("STATEMENT:")
        return not self._is_statement


def _text(line: bytes) -> str:
    return line.decode(errors="replace").rstrip("\r")[:MAX_LINE_CHARS]


def with_prefix(name: str, width: int, line: str, colour: int | None) -> str:
    """`colour` is the number of the name among all names; None without a terminal."""
    prefix = f"{name:<{width}} | "
    if colour is not None:
        prefix = f"\x1b[{_COLOURS[colour % len(_COLOURS)]}m{prefix}\x1b[0m"
    return prefix + line
