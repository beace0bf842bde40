"""How much of one file is read. What is beyond is cut, so that no file is read for long."""

from __future__ import annotations

MAX_TEXT_CHARS = 1_000_000
#: So much plain text of a document has some 200,000 elements; reading them takes a second.
MAX_PARTS = 200_000
MAX_DEPTH = 100  # of elements in elements
MAX_UNPACKED_BYTES = 32 * 1024**2
#: What a tag of HTML costs, in elements of XML.
TAG_PARTS = 4


class Allowance:
    """The elements, cells and bytes that may still be read of a file."""

    def __init__(self, parts: int = MAX_PARTS, bytes_left: int = MAX_UNPACKED_BYTES) -> None:
        self.parts, self.bytes_left = parts, bytes_left
        #: Something was left out.
        self.is_spent = False

    def spend(self, parts: int) -> bool:
        """Whether they may be read."""
        self.parts -= parts
        if self.parts < 0:
            self.is_spent = True
        return not self.is_spent

    def unpack(self, size: int) -> bool:
        """Whether so many bytes more may be unpacked."""
        self.bytes_left -= size
        if self.bytes_left < 0:
            self.is_spent = True
        return not self.is_spent

    def spend_all(self) -> None:
        self.is_spent = True
