"""Read what a model file in GGUF's format says of its model.

The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. A header has pairs of a key
and a typed value; the weights come after it. The file may be anything, so there are bounds.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

MAGIC = b"GGUF"
VERSIONS = (2, 3)
MAX_PAIRS = 10_000
MAX_ELEMENTS = 4_000_000  # of an array; vocabularies have up to 300,000
MAX_KEPT = 1_000  # characters of a text, or numbers of an array; longer values are passed over
MAX_TEXT_BYTES = 4_000_000
MAX_HEADER_BYTES = 256_000_000

#: `struct`'s letters by the number of a type. 8 is a text, 9 an array.
NUMBERS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
TEXT, ARRAY = 8, 9

Value = int | float | str | tuple[int | float, ...]


class NoGgufError(Exception):
    """The file has no header of GGUF's form."""


def read_header(path: Path) -> dict[str, Value]:
    """Read the values by key. Long texts and arrays of texts are left out.

    Raises `NoGgufError`, and `OSError` where the file cannot be read.
    """
    with path.open("rb") as file:
        try:
            return _Reader(file).read()
        except (struct.error, UnicodeDecodeError) as exc:
            raise NoGgufError from exc


class _Reader:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def read(self) -> dict[str, Value]:
        if self._file.read(4) != MAGIC or self._number("I") not in VERSIONS:
            raise NoGgufError
        self._number("Q")  # the number of tensors
        values: dict[str, Value] = {}
        for _ in range(self._count(MAX_PAIRS)):
            key = self._text()
            value = self._value(int(self._number("I")))
            if value is not None:
                values[key] = value
            if self._file.tell() > MAX_HEADER_BYTES:
                raise NoGgufError
        return values

    def _value(self, kind: int) -> Value | None:
        if kind == TEXT:
            text = self._text()
            return text if len(text) <= MAX_KEPT else None
        if kind == ARRAY:
            return self._array(int(self._number("I")))
        return self._number(_letter(kind))

    def _array(self, kind: int) -> Value | None:
        count = self._count(MAX_ELEMENTS)
        if kind == TEXT:
            for _ in range(count):
                self._file.seek(self._count(MAX_TEXT_BYTES), 1)
            return None
        letter = _letter(kind)
        if count > MAX_KEPT:
            self._file.seek(count * struct.calcsize(f"<{letter}"), 1)
            return None
        return tuple(self._number(letter) for _ in range(count))

    def _text(self) -> str:
        size = self._count(MAX_TEXT_BYTES)
        return self._file.read(size).decode()

    def _count(self, limit: int) -> int:
        count = int(self._number("Q"))
        if count > limit:
            raise NoGgufError
        return count

    def _number(self, letter: str) -> int | float:
        layout = f"<{letter}"
        number: int | float = struct.unpack(layout, self._file.read(struct.calcsize(layout)))[0]
        return number


def _letter(kind: int) -> str:
    if kind not in NUMBERS:
        raise NoGgufError
    return NUMBERS[kind]
