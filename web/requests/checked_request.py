"""Requests whose body breaks off, or whose headers make no sense: the client caused it."""

from __future__ import annotations

import hashlib
import io
import json
import math
from typing import IO, Any

from flask import Request
from flask.json.provider import DefaultJSONProvider
from werkzeug.datastructures import Authorization
from werkzeug.exceptions import BadRequest, HTTPException
from werkzeug.utils import cached_property

PIECE_BYTES = 65_536


class UnusableNumberError(ValueError):
    """JSON has no NaN and no infinity, and 1e999 would be one."""


class StrictJson(DefaultJSONProvider):
    """The application's JSON. Reads numbers as the standard has them; Python's reader has more."""

    def loads(self, s: str | bytes, **_: Any) -> Any:
        return read_json(s)


def read_json(text: str | bytes) -> Any:
    """Raises `UnusableNumberError`, `ValueError` and `RecursionError`."""
    return json.loads(text, parse_constant=_refuse_constant, parse_float=_read_float)


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


def _refuse_constant(name: str) -> float:
    raise UnusableNumberError(name)


def _read_float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise UnusableNumberError(text)
    return number


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
