"""From a child's bytes to lines for a person. Pure."""

from __future__ import annotations

LONGEST = 8_192  # characters of one line; a child that never ends its line must not fill memory

_COLOURS = (36, 33, 32, 35, 34, 96, 93)  # of a terminal: cyan, yellow, green …


class LineSplitter:
    """Holds back the line that is not ended yet."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[str]:
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > LONGEST:
            lines, self._rest = [*lines, self._rest], b""
        return [_text(line) for line in lines]

    def end(self) -> list[str]:
        rest, self._rest = self._rest, b""
        return [_text(rest)] if rest else []


def _text(line: bytes) -> str:
    return line.decode(errors="replace").rstrip("\r")[:LONGEST]


def with_prefix(name: str, width: int, line: str, colour: int | None) -> str:
    """`colour` counts the names; None is for what is not a terminal."""
    prefix = f"{name:<{width}} | "
    if colour is not None:
        prefix = f"\x1b[{_COLOURS[colour % len(_COLOURS)]}m{prefix}\x1b[0m"
    return prefix + line
