"""What makes the page an app: its manifest, its service worker, and a page for when it is offline.

All three are the same for everybody, but for language and theme, so they ask for no token.
"""

from __future__ import annotations

import hashlib
import json

from flask import Blueprint, Response, jsonify

from web.pages.appearance import PAPER
from web.pages.assets import STYLES, asset_url, current_release, read_files
from web.pages.language import current_language
from web.pages.plain_pages import show_page
from web.pages.texts import direction_of, read_texts

WORKER = "offline/service_worker.js"
#: What the offline page is drawn with.
DRAWN_WITH = (
    STYLES,
    "icon.svg",
    "vendor/figtree-latin-wght-normal.woff2",
    "vendor/instrument-serif-latin-400-normal.woff2",
)
VERSION_CHARS = 12

blueprint = Blueprint("install", __name__)


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    """In the reader's language. Browsers read it when the page is installed."""
    language = current_language()
    texts = read_texts(language)
    response = jsonify(
        id="/",
        name=texts["app.name"],
        short_name=texts["app.name"],
        description=texts["app.tagline"],
        lang=language,
        dir=direction_of(language),
        start_url="/",
        scope="/",
        display="standalone",
        background_color=PAPER["light"],
        theme_color=PAPER["light"],
        icons=[
            _icon("icons/192.png", "192x192"),
            _icon("icons/512.png", "512x512"),
            _icon("icons/maskable.png", "512x512") | {"purpose": "maskable"},
        ],
    )
    response.mimetype = "application/manifest+json"
    return response


@blueprint.get("/offline")
def offline() -> Response:
    """Kept by the service worker, which shows it where the server cannot be reached."""
    return show_page("offline")


@blueprint.get("/service-worker.js")
def worker() -> Response:
    """At the root, because a worker is responsible for what is below its own address."""
    version = hashlib.sha256(current_release().encode() + offline().get_data()).hexdigest()
    addresses = json.dumps([asset_url(name) for name in DRAWN_WITH])
    head = f'const VERSION = "{version[:VERSION_CHARS]}";\nconst KEPT = {addresses};\n'
    return Response(head.encode() + read_files()[WORKER], mimetype="text/javascript")


def _icon(filename: str, sizes: str) -> dict[str, str]:
    return {"src": asset_url(filename), "sizes": sizes, "type": "image/png"}
