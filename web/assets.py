"""Files of the page at addresses that change with their content, so that browsers may keep them.

One release stands for all files: modules and styles name one another by relative paths, which
so lead to the same release.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

from flask import Blueprint, Response, send_from_directory, url_for

STATIC = Path(__file__).parent / "static"
RELEASE_CHARS = 12
KEEP = "public, max-age=31536000, immutable"

blueprint = Blueprint("assets", __name__)


@blueprint.get("/assets/<release>/<path:filename>")
def show(release: str, filename: str) -> Response:
    """A page of another version may ask here while replicas are replaced: nobody keeps that."""
    response = send_from_directory(STATIC, filename)
    # Read at once and closed: what is streamed is not compressed.
    response.direct_passthrough = False
    response.make_sequence()
    response.close()
    response.headers["Cache-Control"] = KEEP if release == current_release() else "no-cache"
    return response


def asset_url(filename: str) -> str:
    """`filename` below `static`."""
    return url_for("assets.show", release=current_release(), filename=filename)


@functools.lru_cache(maxsize=1)
def current_release() -> str:
    """From the names and the content of all files, as they were when this process began."""
    digest = hashlib.sha256()
    for file in sorted(path for path in STATIC.rglob("*") if path.is_file()):
        digest.update(f"{file.relative_to(STATIC)}\0{file.stat().st_size}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:RELEASE_CHARS]
