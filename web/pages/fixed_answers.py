"""Answers that are the same for everybody: each is written and compressed once in a process.

Whoever asks meanwhile waits for the one who writes it, so that sixty at once cost what one costs.
"""

from __future__ import annotations

import gzip
import hashlib
import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

import brotli
from flask import Response, request

#: Types that become smaller by compression.
COMPRESSED_TYPES = (
    "text/html", "text/css", "text/javascript", "application/json", "image/svg+xml",
)  # fmt: skip
#: gzip is for browsers that reach the site without TLS: they do not ask for br.
ENCODINGS = ("br", "gzip")
BROTLI_QUALITY = 4
WORTH_BYTES = 500  # shorter answers hardly become smaller
ETAG_CHARS = 24

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Once(Generic[Key, Value]):
    """Values that are made at their first use, each by one thread. The others wait for it."""

    def __init__(self, make: Callable[[Key], Value]) -> None:
        self._make = make
        self._values: dict[Key, Value] = {}
        self._lock = threading.Lock()

    def get(self, key: Key) -> Value:
        if key in self._values:
            return self._values[key]
        with self._lock:
            if key not in self._values:
                self._values[key] = self._make(key)
            return self._values[key]


class FixedAnswer:
    """One content, in the encodings that browsers ask for."""

    def __init__(self, content: bytes, mimetype: str, etag: str | None = None) -> None:
        """`etag` names the content. None: it is made from it."""
        self._content = content
        self._mimetype = mimetype
        self._etag = etag or hashlib.sha256(content).hexdigest()[:ETAG_CHARS]
        self._encoded = Once(self._encode)

    def respond(self, cache_control: str) -> Response:
        """Answer the current request: with 304 if its client has the content already."""
        encoding = self._choose_encoding()
        response = Response(self._encoded.get(encoding), mimetype=self._mimetype)
        if encoding is not None:
            response.headers["Content-Encoding"] = encoding
        response.set_etag(f"{self._etag}:{encoding}" if encoding else self._etag)
        response.headers["Cache-Control"] = cache_control
        response.make_conditional(request)
        return response

    def _choose_encoding(self) -> str | None:
        if self._mimetype not in COMPRESSED_TYPES or len(self._content) < WORTH_BYTES:
            return None
        return request.accept_encodings.best_match(ENCODINGS)

    def _encode(self, encoding: str | None) -> bytes:
        if encoding == "br":
            small: bytes = brotli.compress(self._content, quality=BROTLI_QUALITY)
            return small
        return gzip.compress(self._content, mtime=0) if encoding == "gzip" else self._content
