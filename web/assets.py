"""The page's files, at addresses that change with their content: browsers may cache them for ever.

All addresses contain the release. Modules and styles refer to each other by relative paths, so they
load files of the same release.
"""

from __future__ import annotations

import functools
import hashlib
import mimetypes
from pathlib import Path

from flask import Blueprint, Response, abort, request, url_for

STATIC = Path(__file__).parent / "static"
STYLES = "css/all.css"
RELEASE_CHARS = 12
KEEP = "public, max-age=31536000, immutable"

blueprint = Blueprint("assets", __name__)


@blueprint.get("/assets/<release>/<path:filename>")
def show(release: str, filename: str) -> Response:
    """While replicas are replaced, pages ask for another release. That answer is not cached."""
    content = read_files().get(filename)
    if content is None:
        abort(404)
    mimetype = mimetypes.guess_type(filename)[0] or "application/octet-stream"
    response = Response(content, mimetype=mimetype)
    response.set_etag(current_release())
    response.headers["Cache-Control"] = KEEP if release == current_release() else "no-cache"
    response.make_conditional(request)
    return response


def asset_url(filename: str) -> str:
    """The address of a file. `filename` is its path below `static`."""
    return url_for("assets.show", release=current_release(), filename=filename)


@functools.cache
def read_files() -> dict[str, bytes]:
    """Content by path below `static`, read once a process so that it agrees with the release.

    All styles are there also as one file, `STYLES`, in the order of their names.
    """
    paths = sorted(path for path in STATIC.rglob("*") if path.is_file())
    files = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in paths}
    styles = b"\n".join(files[name] for name in files if name.startswith("css/"))
    return files | {STYLES: styles}


@functools.cache
def current_release() -> str:
    """A digest of the names and contents of all files."""
    digest = hashlib.sha256()
    for name, content in read_files().items():
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:RELEASE_CHARS]
