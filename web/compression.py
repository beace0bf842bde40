"""Compresses pages, styles, scripts and JSON.

Streams (replies, exports) are not compressed: that would delay each piece. The page's files are
compressed once in each process. Compressed answers to a user are not cached.
"""

from __future__ import annotations

from flask import Flask, Request
from flask_compress import Compress, DictCache

MIMETYPES = ["text/html", "text/css", "text/javascript", "application/json", "image/svg+xml"]
# gzip is for browsers that reach the site without TLS: they do not ask for br.
ALGORITHMS = ["br", "gzip"]
NOT_CACHED = ""


def compress_responses(app: Flask) -> None:
    app.config["COMPRESS_MIMETYPES"] = MIMETYPES
    app.config["COMPRESS_ALGORITHM"] = ALGORITHMS
    app.config["COMPRESS_STREAMS"] = False
    app.config["COMPRESS_CACHE_BACKEND"] = FileCache
    app.config["COMPRESS_CACHE_KEY"] = file_name
    Compress(app)


class FileCache(DictCache):
    """Compressed files by algorithm and name. Unknown names do not fill it: a 404 is not cached."""

    def set(self, key: str, value: bytes) -> None:
        if not key.endswith(f";{NOT_CACHED}"):
            super().set(key, value)


def file_name(request: Request) -> str:
    if request.endpoint == "assets.show" and request.view_args:
        return str(request.view_args["filename"])
    return NOT_CACHED
