"""An upload whose sections are read in the order in which they are needed.

Each file of it is read once to its end before anything is imported, and again for each section that
it holds. So no order of its keys makes a difference, and a broken file changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from shared.errors import UnknownFormError
from shared.user_data.imports.archive import PEEKED_BYTES, OpenFiles
from shared.user_data.imports.formats import FORMATS
from shared.user_data.imports.json_stream import BYTE_ORDER_MARK, Readable
from shared.user_data.imports.markdown_chat import read_markdown
from shared.user_data.imports.outline import Outline, Section, outline_document
from shared.user_data.imports.sections import Item, Limits, read_section

MARKDOWN = Outline(frozenset({"conversations"}))


class Upload:
    def __init__(self, open_files: OpenFiles, limits: Limits) -> None:
        """Raises `BrokenImportError` and `UnknownFormError`."""
        self._open_files, self._limits = open_files, limits
        self._outlines = [_outline(*rejoin(file)) for file in open_files()]
        #: It is an export of ours, which names each of its projects.
        self.is_own = any(outline.is_own for outline in self._outlines)

    def read(self, section: Section) -> Iterator[Item]:
        """The items of a section, from all files."""
        for outline, file in zip(self._outlines, self._open_files(), strict=True):
            if section not in outline.sections:
                continue
            if outline is MARKDOWN:
                yield Item("conversations", read_markdown(file))
            else:
                yield from _join(read_section(file, section, self._limits, outline), section)


def _join(items: Iterator[Item], section: Section) -> Iterator[Item]:
    """Let each format join what is less than a chat."""
    if section != "conversations":
        return items
    values: Iterator[object] = (item.value for item in items)
    for each in FORMATS:
        values = each.join(values)
    return (Item(section, value) for value in values)


def _outline(beginning: bytes, file: Readable) -> Outline:
    text = beginning.removeprefix(BYTE_ORDER_MARK).lstrip()
    if text.startswith(b"#"):
        read_markdown(file)
        return MARKDOWN
    if text and not text.startswith((b"{", b"[")):
        raise UnknownFormError
    return outline_document(file)


def rejoin(source: Readable) -> tuple[bytes, Readable]:
    """Put the first bytes in front of the stream again. A stream may give fewer than asked for."""
    beginning = b""
    while len(beginning) < PEEKED_BYTES and (piece := source.read(PEEKED_BYTES - len(beginning))):
        beginning += piece
    return beginning, _Rejoined(beginning, source)


class _Rejoined:
    """A stream with its first bytes, which were read already, in front again."""

    def __init__(self, beginning: bytes, rest: Readable) -> None:
        self._beginning, self._rest = beginning, rest

    def read(self, size: int, /) -> bytes:
        piece, self._beginning = self._beginning[:size], self._beginning[size:]
        return piece or self._rest.read(size)
