"""A file as it was uploaded: JSON, or a zip archive with the JSON of conversations in it.

What it is, its first bytes say. While it is imported it lies in a file without a name. Of an
archive nothing is unpacked to disk: its members are read as streams, within limits.
"""

from __future__ import annotations

import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TypeAlias

from shared.errors import BrokenImportError, UnknownFormError
from shared.user_data.imports.formats import FILE_NAMES
from shared.user_data.imports.json_stream import READ_BYTES, Readable

SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")  # with members, and without
PEEKED_BYTES = 8
#: Opens them anew, one after the other.
OpenFiles: TypeAlias = Callable[[], Iterator[Readable]]
# zipfile reads the list of an archive's members at once; this is some 30,000 of them.
MAX_DIRECTORY_BYTES = 4 * 1024 * 1024
# JSON with many ids shrinks to a thirtieth. Deflate can make a thousandth of nothing but zeros.
MAX_RATIO = 200
ERRORS = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, OverflowError,
    OSError, ValueError,
)  # fmt: skip
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1

_JSON = re.compile(r"(?:.*/)?[^/.][^/]*\.json", re.IGNORECASE)
_OF_MACOS = "__MACOSX/"


@contextmanager
def open_upload(source: Readable, most_bytes: int) -> Iterator[OpenFiles]:
    """The files with conversations in `source`, which may be opened again and again.

    `most_bytes` limits what an archive unpacks to. Raises `BrokenImportError`, also while they are
    read.
    """
    with tempfile.TemporaryFile() as file:
        while piece := source.read(READ_BYTES):
            file.write(piece)
        file.seek(0)
        if not file.read(PEEKED_BYTES).startswith(SIGNATURES):
            yield lambda: _rewind(file)
            return
        with _errors_of_archives():
            archive = zipfile.ZipFile(_Careful(file))
        with archive:
            yield lambda: _open_members(archive, _Allowance(most_bytes))


def _rewind(file: IO[bytes]) -> Iterator[Readable]:
    file.seek(0)
    yield file


def _open_members(archive: zipfile.ZipFile, allowance: _Allowance) -> Iterator[Readable]:
    for member in _choose(archive.infolist()):
        if member.flag_bits & ENCRYPTED or member.compress_type not in METHODS:
            raise BrokenImportError("The archive is encrypted, or packed in an unusual way.")
        with _errors_of_archives():
            stream = archive.open(member)
        with stream:
            yield _Unpacked(stream, member, allowance)


def _choose(members: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """Choose the files with conversations by their names, or the only file of JSON."""
    files = [member for member in members if not member.filename.startswith(_OF_MACOS)]
    conversation_files = [member for member in files if FILE_NAMES.fullmatch(member.filename)]
    json = [member for member in files if _JSON.fullmatch(member.filename)]
    if not conversation_files and len(json) != 1:
        raise BrokenImportError(f"The archive has no conversations. {UnknownFormError().message}")
    return sorted(conversation_files or json, key=lambda member: member.filename)


@contextmanager
def _errors_of_archives() -> Iterator[None]:
    """Also those that zipfile calls by other names: unknown methods, data that is cut."""
    try:
        yield
    except ERRORS as exc:
        raise BrokenImportError("The archive is damaged.") from exc


class _Careful:
    """A file that refuses a read that is too large, before zipfile takes memory for it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1, /) -> bytes:
        most = MAX_DIRECTORY_BYTES + 1  # "all" is the end of the file, which is short
        content = self._file.read(most if size < 0 else min(size, most))
        if len(content) == most:
            raise BrokenImportError("The archive holds too many files.")
        return content


class _Allowance:
    """The bytes that all members together may still unpack to."""

    def __init__(self, most_bytes: int) -> None:
        self._left = most_bytes

    def spend(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise BrokenImportError("The archive unpacks to more than may be imported at once.")


class _Unpacked:
    """A member of an archive as a stream."""

    def __init__(self, stream: IO[bytes], member: zipfile.ZipInfo, allowance: _Allowance) -> None:
        self._stream, self._allowance = stream, allowance
        self._most = READ_BYTES + MAX_RATIO * member.compress_size
        self._count = 0

    def read(self, size: int, /) -> bytes:
        with _errors_of_archives():
            piece = self._stream.read(size)
        self._count += len(piece)
        if self._count > self._most:
            raise BrokenImportError("The archive unpacks to far more than it holds.")
        self._allowance.spend(len(piece))
        return piece
