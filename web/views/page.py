"""The page itself: it renders templates only; its scripts fetch everything else from the API."""

from __future__ import annotations

import functools
import json
from pathlib import Path

from flask import Blueprint, render_template

from web.assets import STYLES

STATIC = Path(__file__).parent.parent / "static"
LANGUAGE = "en"

page = Blueprint("page", __name__)


@page.get("/")
@page.get("/c/<conversation_id>")
def show(conversation_id: str = "") -> str:
    return render_template(
        "page/chat.html",
        conversation_id=conversation_id,
        lang=LANGUAGE,
        texts=read_texts(),
        styles=STYLES,
        modules=list_static("js", "**/*.js"),
    )


@functools.lru_cache(maxsize=1)
def read_texts() -> dict[str, str]:
    """Every sentence of the page by its key, for the templates and (as JSON) for the scripts."""
    texts: dict[str, str] = json.loads((STATIC / "texts" / f"{LANGUAGE}.json").read_text("utf-8"))
    return texts


@functools.cache
def list_static(folder: str, pattern: str) -> tuple[str, ...]:
    """Paths below `static`, so that the browser asks for all of them at once, not link by link."""
    files = sorted((STATIC / folder).glob(pattern))
    return tuple(file.relative_to(STATIC).as_posix() for file in files)
