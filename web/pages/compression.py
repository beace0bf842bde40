"""Compression of pages and JSON for one user. What is the same for all is compressed once.

Streams (replies, exports) are not compressed: that would delay each piece.
"""

from __future__ import annotations

from flask import Flask
from flask_compress import Compress

from web.pages.fixed_answers import COMPRESSED_TYPES, ENCODINGS


def compress_responses(app: Flask) -> None:
    app.config["COMPRESS_MIMETYPES"] = list(COMPRESSED_TYPES)
    app.config["COMPRESS_ALGORITHM"] = list(ENCODINGS)
    app.config["COMPRESS_STREAMS"] = False
    Compress(app)
