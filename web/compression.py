"""What is sent smaller: pages, styles, scripts, JSON.

What is streamed (replies, exports) is sent as it comes: nothing may hold a word back. The page's
files are compressed once a process; what is made for somebody is never kept.
"""

from __future__ import annotations

from flask import Flask, Request
from flask_compress import Compress, DictCache

MIMETYPES = ["text/html", "text/css", "text/javascript", "application/json", "image/svg+xml"]
# gzip for browsers that reach the site without TLS: they ask for nothing better.
ALGORITHMS = ["br", "gzip"]
NOT_KEPT = ""


def compress_responses(app: Flask) -> None:
    app.config["COMPRESS_MIMETYPES"] = MIMETYPES
    app.config["COMPRESS_ALGORITHM"] = ALGORITHMS
    app.config["COMPRESS_STREAMS"] = False
    app.config["COMPRESS_CACHE_BACKEND"] = KeptFiles
    app.config["COMPRESS_CACHE_KEY"] = file_name
    Compress(app)


class KeptFiles(DictCache):
    """By algorithm and file name. There are no more names than files: an unknown one is a 404,
    and that is not compressed."""

    def set(self, key: str, value: bytes) -> None:
        if not key.endswith(f";{NOT_KEPT}"):
            super().set(key, value)


def file_name(request: Request) -> str:
    if request.endpoint == "assets.show" and request.view_args:
        return str(request.view_args["filename"])
    return NOT_KEPT
