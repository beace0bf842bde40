"""The operators' page."""

from __future__ import annotations

from flask import Blueprint, render_template

from web.pages.assets import list_first_files
from web.pages.language import current_language
from web.pages.texts import read_texts, write_texts
from web.requests.callers import needs
from web.views import operations

blueprint = Blueprint("operations_page", __name__)
blueprint.before_request(operations.refuse_others)


@blueprint.get("/operations")
@needs("operate")
def show() -> str:
    language = current_language()
    return render_template(
        "operations/page.html",
        texts=read_texts(language),
        texts_json=write_texts(language, operators=True),
        modules=list_first_files("operations/main.js"),
    )
