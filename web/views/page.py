"""The page: rendered from templates. Its scripts fetch all data from the API."""

from __future__ import annotations

import functools
from pathlib import Path

from flask import Blueprint, g, render_template

from web.assets import STYLES
from web.callers import needs
from web.context import web_context
from web.first_visit import find_whereabouts
from web.language import current_language, find_chosen_language
from web.texts import list_languages, read_texts, write_texts

STATIC = Path(__file__).parent.parent / "static"
#: Folders and modules that the first view can do without.
ON_DEMAND = (
    "js/palette/",
    "js/list/menu/",
    "js/list/folders/",
    "js/list/archive_dialog.js",
    "js/chat/lesson_marks.js",
    "js/chat/trace.js",
    "js/text/formula_",
    "js/data/",
    "js/chat/conversation_dialog.js",
    "js/chat/message_erasure.js",
    "js/chat/attachments/",
    "js/chat/diagrams/",
    "js/chat/models/",
    "js/chat/library/",
    "js/chat/personas/",
    "js/chat/prompts/",
    "js/api/access.js",
    "js/api/attachments.js",
    "js/api/prompts.js",
    "js/api/user_data.js",
    "js/api/webhooks.js",
    "js/page/options.js",
    "js/text/words.js",
    "js/settings/",
)

blueprint = Blueprint("page", __name__)


@blueprint.get("/")
@blueprint.get("/c/<conversation_id>")
@needs()
def show(conversation_id: str = "") -> str:
    language, settings = current_language(), web_context().services.settings
    return render_template(
        "page/chat.html",
        conversation_id=conversation_id,
        user_id=None if settings.auth_mode == "local" else g.user_id,
        languages=list_languages(),
        chosen_language=find_chosen_language(),
        texts=read_texts(language),
        texts_json=write_texts(language),
        styles=STYLES,
        modules=list_first_modules(),
        has_accounts=settings.has_accounts,
        data=find_whereabouts(web_context().services.models.settings()),
        may_share=settings.may_share,
        may_operate="operate" in g.caller.scopes,
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
