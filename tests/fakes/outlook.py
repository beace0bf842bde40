"""A mail as Outlook saves it: a compound file (MS-CFB) of properties (MS-OXMSG)."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import NamedTuple

SECTOR, SMALL_SECTOR, ENTRY_BYTES = 512, 64, 128
NONE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
STORAGE, STREAM, ROOT = 1, 2, 5
BODY, SUBJECT, SENDER_NAME, SENDER_ADDRESS = 0x1000, 0x0037, 0x0C1A, 0x0C1F
SENT_AT, NAME, ADDRESS, FILE_NAME = 0x0039, 0x3001, 0x39FE, 0x3707
HTML_BODY = 0x1013
TEXT_TYPE, BYTES_TYPE, TIME_TYPE = 0x001F, 0x0102, 0x0040
SINCE_1601_S = 11_644_473_600

Properties = Mapping[int, str | bytes | int]
Folder = Mapping[str, "bytes | Folder"]


class _Entry(NamedTuple):
    name: str
    kind: int
    child: int
    next: int
    content: bytes


def make_outlook_mail(
    message: Properties, recipients: Sequence[Properties] = (), files: Sequence[Properties] = ()
) -> bytes:
    """Texts are str, HTML is bytes, times are seconds since 1970."""
    head = struct.pack("<8x4I8x", len(recipients), len(files), len(recipients), len(files))
    root: dict[str, bytes | Folder] = dict(_property_streams(message, head))
    for name, parts in (("recip", recipients), ("attach", files)):
        for number, part in enumerate(parts):
            root[f"__{name}_version1.0_#{number:08X}"] = _property_streams(part, bytes(8))
    return _write_compound(root)


def _property_streams(properties: Properties, head: bytes) -> dict[str, bytes]:
    rows, streams = [head], {}
    for number, value in properties.items():
        if isinstance(value, int):
            rows.append(struct.pack("<HHIQ", TIME_TYPE, number, 6, (value + SINCE_1601_S) * 10**7))
            continue
        kind = TEXT_TYPE if isinstance(value, str) else BYTES_TYPE
        content = value.encode("utf-16-le") if isinstance(value, str) else value
        rows.append(struct.pack("<HHIII", kind, number, 6, len(content) + 2, 0))
        streams[f"__substg1.0_{number:04X}{kind:04X}"] = content
    return {"__properties_version1.0": b"".join(rows)} | streams


def _write_compound(root: Folder) -> bytes:
    """All streams are small ones: 8 KB in all, and none of 4,096 bytes or more."""
    entries = [_Entry("Root Entry", ROOT, NONE, NONE, b"")]
    entries[0] = entries[0]._replace(child=_add_entries(root, entries))
    small, starts = bytearray(), []
    small_chain: list[int] = []
    for entry in entries:
        starts.append(len(small_chain) if entry.content else END)
        _extend(small_chain, -(-len(entry.content) // SMALL_SECTOR))
        small += entry.content + bytes(-len(entry.content) % SMALL_SECTOR)
    chain, sizes = [FAT], [len(entry.content) for entry in entries]
    directory_at = _extend(chain, -(-len(entries) * ENTRY_BYTES // SECTOR))
    small_chain_at = _extend(chain, len(_chain_bytes(small_chain)) // SECTOR)
    starts[0] = _extend(chain, len(_pad(bytes(small))) // SECTOR)
    sizes[0] = len(small)
    directory = b"".join(map(_entry_bytes, entries, starts, sizes))
    sectors = [_chain_bytes(chain), directory, _chain_bytes(small_chain), bytes(small)]
    return _header(directory_at, small_chain_at) + b"".join(map(_pad, sectors))


def _extend(chain: list[int], count: int) -> int:
    """Where the next `count` sectors begin: each but the last names the one after it."""
    begin = len(chain)
    chain += [*range(begin + 1, begin + count), END] if count else []
    return begin


def _add_entries(folder: Folder, entries: list[_Entry]) -> int:
    """The number of the first one; each names the next."""
    following = NONE
    for name, content in folder.items():
        if isinstance(content, bytes):
            entry = _Entry(name, STREAM, NONE, following, content)
        else:
            entry = _Entry(name, STORAGE, _add_entries(content, entries), following, b"")
        following = len(entries)
        entries.append(entry)
    return following


def _entry_bytes(entry: _Entry, start: int, size: int) -> bytes:
    name = entry.name.encode("utf-16-le")
    return struct.pack(
        "<64sHBBIII36xIQ",
        name, len(name) + 2, entry.kind, 1, NONE, entry.next, entry.child, start, size,
    )  # fmt: skip


def _header(directory_at: int, small_chain_at: int) -> bytes:
    return struct.pack(
        "<8s16xHHHHH6xIIIIIIIIII",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6,
        0, 1, directory_at, 0, 4096, small_chain_at, 1, END, 0, 0,
    ) + b"\xff" * (4 * 108)  # fmt: skip


def _chain_bytes(chain: Sequence[int]) -> bytes:
    return _pad(struct.pack(f"<{len(chain)}I", *chain))


def _pad(content: bytes) -> bytes:
    return content + b"\xff" * (-len(content) % SECTOR)
