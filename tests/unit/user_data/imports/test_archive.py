"""Archives: which of their files are read, and what they cannot do to the reader."""

from __future__ import annotations

import io
import os
import struct
import tracemalloc
import zipfile

import pytest

from shared.errors import BrokenImportError
from shared.user_data.imports.archive import MAX_DIRECTORY_BYTES, MAX_RATIO, open_upload
from shared.user_data.imports.json_stream import READ_BYTES

MEGABYTE = 1024 * 1024
DEFLATED = zipfile.ZIP_DEFLATED


class Trickle(io.BytesIO):
    """A stream that gives few bytes at a time, as a slow client does."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size or 0, 3))


def pack(files: dict[str, bytes], method: int = DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def unpack(content: bytes, most_bytes: int = MEGABYTE) -> list[bytes]:
    parts = []
    with open_upload(io.BytesIO(content), most_bytes) as open_files:
        for part in open_files():
            pieces = []
            while piece := part.read(READ_BYTES):
                pieces.append(piece)
            parts.append(b"".join(pieces))
    return parts


@pytest.mark.parametrize("content", [b"", b"[", b"[1]", b"PK", b'{"a": "PK\x03\x04"}'])
def test_what_is_no_archive_is_read_as_it_is(content: bytes) -> None:
    assert unpack(content) == [content]


def test_a_stream_that_trickles_is_recognised_all_the_same() -> None:
    with open_upload(Trickle(pack({"conversations.json": b"[1]"})), MEGABYTE) as open_files:
        for _ in range(2):
            assert [part.read(9) for part in open_files()] == [b"[1]"]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, DEFLATED])
def test_the_conversations_are_found_among_other_files(method: int) -> None:
    files = {
        "users.json": b"no", "projects.json": b"no", "photo.png": b"\x89PNG" * 9,
        "__MACOSX/._conversations.json": b"no", "data/conversations.json": b"[1]",
        "data/conversations-001.json": b"[2]",
    }  # fmt: skip
    assert unpack(pack(files, method)) == [b"[2]", b"[1]"]


def test_another_name_will_do_if_there_is_one_file_of_json() -> None:
    assert unpack(pack({"throughline-2026.json": b"[1]", "read.me": b"x"})) == [b"[1]"]
    for files in ({"a.json": b"[]", "b.json": b"[]"}, {"conversations.txt": b"[]"}, {}):
        with pytest.raises(BrokenImportError, match="has no conversations"):
            unpack(pack(files))


def test_names_lead_nowhere(tmp_path: object) -> None:
    before = os.listdir(".")
    assert unpack(pack({"../../conversations.json": b"[1]"})) == [b"[1]"]
    assert os.listdir(".") == before


def test_a_bomb_is_refused_early() -> None:
    zeros = pack({"conversations.json": b"0" * (64 * MEGABYTE)})
    tracemalloc.start()
    try:
        with pytest.raises(BrokenImportError, match="far more than it holds"):
            unpack(zeros, 1024 * MEGABYTE)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # What was unpacked until then is kept here, in pieces and joined.
    assert peak < 3 * (READ_BYTES + MAX_RATIO * len(zeros))


def test_all_files_together_unpack_to_so_much_and_no_more() -> None:
    half = os.urandom(READ_BYTES).hex().encode()
    files = {f"conversations-{number}.json": half for number in range(9)}
    assert len(unpack(pack(files), 9 * len(half))) == 9
    with pytest.raises(BrokenImportError, match="more than may be imported"):
        unpack(pack(files), 9 * len(half) - 1)


def test_a_list_of_too_many_files_is_not_read() -> None:
    packed = bytearray(pack({"conversations.json": b"[1]"}))
    end = packed.rfind(b"PK\x05\x06")
    directory = packed[struct.unpack_from("<I", packed, end + 16)[0] : end]
    many = MAX_DIRECTORY_BYTES // len(directory) + 1
    packed[end:end] = bytes(directory) * (many - 1)
    end = packed.rfind(b"PK\x05\x06")
    struct.pack_into("<HHI", packed, end + 8, many % 65_536, many % 65_536, many * len(directory))
    with pytest.raises(BrokenImportError, match="too many files"):
        unpack(bytes(packed))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_packing_is_refused(method: int) -> None:
    with pytest.raises(BrokenImportError, match="unusual"):
        unpack(pack({"conversations.json": b"[1]"}, method))


def test_an_encrypted_archive_is_refused() -> None:
    packed = bytearray(pack({"conversations.json": b"[1]"}))
    packed[6] |= 1
    packed[packed.find(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(BrokenImportError, match="encrypted"):
        unpack(bytes(packed))


def test_any_damage_is_named_and_crashes_nothing() -> None:
    whole = pack({"conversations.json": b"[" + b"1, " * 500 + b"1]"})
    for place in range(4, len(whole)):
        damaged = whole[:place] + bytes([whole[place] ^ 0x5A]) + whole[place + 1 :]
        for content in (damaged, whole[:place]):
            try:
                unpack(content)
            except BrokenImportError:
                continue
