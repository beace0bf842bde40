"""The page's files, at addresses that change with their content: browsers may cache them for ever.

All addresses contain the release. Modules and styles refer to each other by relative paths, so they
load files of the same release.
"""

from __future__ import annotations

import functools
import hashlib
import mimetypes
from pathlib import Path

import rjsmin
from flask import Blueprint, Response, abort, request, url_for

STATIC = Path(__file__).parent / "static"
STYLES = "css/all.css"
RELEASE_CHARS = 12
#: What the frame loads that draws diagrams. It has no origin, so it is none of this site's.
OF_FRAMES = frozenset({"vendor/mermaid.js", "diagrams/frame.js"})
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
    if filename in OF_FRAMES:
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    response.make_conditional(request)
    return response


def asset_url(filename: str) -> str:
    """The address of a file. `filename` is its path below `static`."""
    return url_for("assets.show", release=current_release(), filename=filename)


@functools.cache
def read_files() -> dict[str, bytes]:
    """Content by path below `static`, read once a process so that it agrees with the release.

    All styles are there also as one file, `STYLES`, in the order of their names. The page's own
    modules are without their comments.
    """
    paths = sorted(path for path in STATIC.rglob("*") if path.is_file())
    files = {path.relative_to(STATIC).as_posix(): _read(path) for path in paths}
    styles = b"\n".join(files[name] for name in files if name.startswith("css/"))
    return files | {STYLES: styles}


def _read(path: Path) -> bytes:
    content = path.read_bytes()
    is_own = path.suffix == ".js" and path.relative_to(STATIC).parts[0] != "vendor"
    return rjsmin.jsmin(content.decode()).encode() if is_own else content


@functools.cache
def current_release() -> str:
    """A digest of the names and contents of all files."""
    digest = hashlib.sha256()
    for name, content in read_files().items():
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:RELEASE_CHARS]
