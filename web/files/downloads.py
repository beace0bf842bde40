"""Files that are sent while they are read from the database."""

from __future__ import annotations

import unicodedata
from collections.abc import Generator, Iterator
from urllib.parse import quote

from flask import Response
from werkzeug.http import dump_options_header


def stream_file(blocks: Generator[str, None, None], mimetype: str, name: str) -> Response:
    """An error before the first block still gets an error response. After it the file is cut."""
    first = next(blocks)
    response = Response(_resume(first, blocks), mimetype=mimetype)
    response.call_on_close(blocks.close)
    response.headers["Content-Disposition"] = attachment_header(name)
    return response


def attachment_header(name: str, disposition: str = "attachment") -> str:
    """A `Content-Disposition`; `disposition` may be `inline`."""
    return dump_options_header(disposition, _names(name))


def _names(name: str) -> dict[str, str]:
    """Headers are ASCII: another name is spelled out beside one that is near it (RFC 6266)."""
    if name.isascii():
        return {"filename": name}
    near = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return {"filename": near, "filename*": f"UTF-8''{quote(name)}"}


def _resume(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest
