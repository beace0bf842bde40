"""What is sent smaller: pages, styles, scripts, JSON.

What is streamed (replies, exports) is sent as it comes: nothing may hold a word back.
"""

from __future__ import annotations

from flask import Flask
from flask_compress import Compress

MIMETYPES = ["text/html", "text/css", "text/javascript", "application/json", "image/svg+xml"]
# gzip for browsers that reach the site without TLS: they ask for nothing better.
ALGORITHMS = ["br", "gzip"]


def compress_responses(app: Flask) -> None:
    app.config["COMPRESS_MIMETYPES"] = MIMETYPES
    app.config["COMPRESS_ALGORITHM"] = ALGORITHMS
    app.config["COMPRESS_STREAMS"] = False
    Compress(app)
