"""The page's files, at addresses that change with their content: browsers may cache them for ever.

All addresses contain the release. Modules and styles refer to each other by relative paths, so they
load files of the same release. A page has one file of styles and few of modules (`bundles.py`).
"""

from __future__ import annotations

import functools
import hashlib
import mimetypes
import re
from pathlib import Path

import rjsmin
from flask import Blueprint, Response, abort, url_for

from web.pages.bundles import Bundles
from web.pages.fixed_answers import FixedAnswer, Once

STATIC = Path(__file__).parents[1] / "static"
STYLES = "css/all.css"
#: The order of the layers comes first. In which order their files follow does not matter then.
LAYERS = "css/layers.css"
BASE = "css/base.css"
#: The styles of pages by the one file that they load. Those of `STYLES` are all of its folder.
JOINED_STYLES = {
    "account/all.css": (LAYERS, BASE, "account/account.css"),
    "operations/all.css": (LAYERS, BASE, "vendor/uplot.css", "operations/operations.css"),
    "reference/all.css": (LAYERS, BASE, "reference/reference.css"),
}
#: The first module of each page that has scripts.
PAGES = ("js/main.js", "operations/main.js", "reading/main.js")
#: Joined by itself: it is so small that the chat page need not load a file more to share with it.
SIGNED_OUT = "account/signed_out.js"
#: Scripts that are no modules.
SCRIPTS = ("diagrams/frame.js", "offline/service_worker.js")
RELEASE_CHARS = 12
CSS_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
#: What the frame loads that draws diagrams. It has no origin, so it is none of this site's.
OF_FRAMES = frozenset({"vendor/mermaid.js", "diagrams/frame.js"})
KEEP = "public, max-age=31536000, immutable"

blueprint = Blueprint("assets", __name__)


@blueprint.get("/assets/<release>/<path:filename>")
def show(release: str, filename: str) -> Response:
    """While replicas are replaced, pages ask for another release. That answer is not cached."""
    if filename not in read_files():
        abort(404)
    is_current = release == current_release()
    response = _answers.get(filename).respond(KEEP if is_current else "no-cache")
    if filename in OF_FRAMES:
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _make_answer(filename: str) -> FixedAnswer:
    mimetype = mimetypes.guess_type(filename)[0] or "application/octet-stream"
    return FixedAnswer(read_files()[filename], mimetype, current_release())


_answers = Once(_make_answer)


def asset_url(filename: str) -> str:
    """The address of a file. `filename` is its path below `static`."""
    return url_for("assets.show", release=current_release(), filename=filename)


def list_first_files(page: str) -> list[str]:
    """The scripts that a page loads at once. It preloads them, so that they come in parallel."""
    return _find_bundles().list_first_files(page)


@functools.cache
def read_files() -> dict[str, bytes]:
    """Content by path below `static`, read once a process so that it agrees with the release.

    Styles are there also joined, our modules as bundles alone, both without comments.
    """
    bundles = _find_bundles()
    paths = sorted(path for path in STATIC.rglob("*") if path.is_file())
    files = {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in paths}
    chat_styles = [name for name in files if name.startswith("css/") and name != LAYERS]
    joined = JOINED_STYLES | {STYLES: (LAYERS, *chat_styles)}
    styles = {
        name: CSS_COMMENT.sub(b"", b"\n".join(files[part] for part in parts))
        for name, parts in joined.items()
    }
    apart = Bundles((SIGNED_OUT,), _read_module)
    scripts = {name: files[name].decode() for name in SCRIPTS}
    scripts |= bundles.write_files() | apart.write_files()
    for path in {*bundles.sources, *apart.sources}:
        del files[path]
    return files | styles | {name: rjsmin.jsmin(text).encode() for name, text in scripts.items()}


@functools.cache
def _find_bundles() -> Bundles:
    return Bundles(PAGES, _read_module)


def _read_module(path: str) -> str:
    return (STATIC / path).read_text()


@functools.cache
def current_release() -> str:
    """A digest of the names and contents of all files."""
    digest = hashlib.sha256()
    for name, content in read_files().items():
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:RELEASE_CHARS]
