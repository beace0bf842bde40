"""The page: rendered from templates. Its scripts fetch all data from the API."""

from __future__ import annotations

from flask import Blueprint, g, render_template

from web.pages.assets import STYLES, list_first_files
from web.pages.first_visit import find_whereabouts
from web.pages.language import current_language, find_chosen_language
from web.pages.texts import list_languages, read_texts, write_texts
from web.process.context import web_context
from web.requests.callers import needs

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
        modules=list_first_files("js/main.js"),
        has_accounts=settings.has_accounts,
        data=find_whereabouts(web_context().services.models.settings()),
        may_share=settings.may_share,
        may_operate="operate" in g.caller.scopes,
    )
