"""The page: rendered from templates. Its scripts fetch all data from the API."""

from __future__ import annotations

import functools
from pathlib import Path

from flask import Blueprint, render_template

from web.assets import STYLES
from web.callers import needs
from web.context import web_context
from web.texts import LANGUAGE, read_texts

STATIC = Path(__file__).parent.parent / "static"
#: Folders and modules that the first view can do without.
ON_DEMAND = ("js/palette/", "js/list/menu/", "js/list/archive_dialog.js", "js/chat/trace.js")

blueprint = Blueprint("page", __name__)


@blueprint.get("/")
@blueprint.get("/c/<conversation_id>")
@needs()
def show(conversation_id: str = "") -> str:
    return render_template(
        "page/chat.html",
        conversation_id=conversation_id,
        lang=LANGUAGE,
        texts=read_texts(),
        styles=STYLES,
        modules=list_first_modules(),
        has_accounts=web_context().services.settings.has_accounts,
    )


@functools.cache
def list_first_modules() -> tuple[str, ...]:
    """The modules of the first view. Others are loaded when they are used for the first time."""
    modules = list_static("js", "**/*.js")
    return tuple(module for module in modules if not module.startswith(ON_DEMAND))


@functools.cache
def list_static(folder: str, pattern: str) -> tuple[str, ...]:
    """Paths below `static`. The page preloads them, so that the browser loads them in parallel."""
    files = sorted((STATIC / folder).glob(pattern))
    return tuple(file.relative_to(STATIC).as_posix() for file in files)
