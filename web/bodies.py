"""Requests whose body breaks off, or whose headers make no sense: the client caused it."""

from __future__ import annotations

import hashlib
import io
from typing import IO

from flask import Request
from werkzeug.datastructures import Authorization
from werkzeug.exceptions import BadRequest, HTTPException
from werkzeug.utils import cached_property

PIECE_BYTES = 65_536


class CheckedRequest(Request):
    """Answers 400 to broken chunks and cut-off bodies, whatever error the server raises.

    An `Authorization` that is not in ASCII names nobody, where Werkzeug raises `ValueError`.
    """

    @cached_property
    def stream(self) -> IO[bytes]:
        return io.BufferedReader(self._checked)

    def hash_body(self) -> bytes:
        """A digest of the whole body. Reads what is left of it."""
        while self.stream.read(PIECE_BYTES):
            pass
        return self._checked.digest.digest()

    @cached_property
    def _checked(self) -> _Checked:
        return _Checked(super().stream)

    @cached_property
    def authorization(self) -> Authorization | None:
        try:
            return super().authorization
        except ValueError:
            return None


class _Checked(io.RawIOBase):
    def __init__(self, body: IO[bytes]) -> None:
        self._body = body
        self.digest = hashlib.sha256()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            piece = self._body.read(len(buffer))
        except HTTPException:
            raise
        except Exception as exc:
            raise BadRequest("The body cannot be read.") from exc
        buffer[: len(piece)] = piece
        self.digest.update(piece)
        return len(piece)
