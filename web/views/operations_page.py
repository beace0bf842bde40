"""The operators' page, and the addresses that its data had before `/api/operations`."""

from __future__ import annotations

from flask import Blueprint, render_template

from web.callers import needs
from web.context import web_context
from web.language import current_language
from web.texts import read_texts, write_texts
from web.views import operations
from web.views.page import list_static

blueprint = Blueprint("operations_page", __name__)
blueprint.before_request(operations.refuse_others)

for path, view in (
    ("/operations.json", operations.show_numbers),
    ("/operations/workers.json", operations.list_workers),
    ("/operations/versions.json", operations.list_summary_versions),
    ("/operations/audit.json", operations.list_all_events),
):
    blueprint.add_url_rule(path, view_func=view)


@blueprint.get("/operations")
@needs("operate")
def show() -> str:
    language = current_language()
    return render_template(
        "operations/page.html",
        texts=read_texts(language),
        texts_json=write_texts(language, operators=True),
        modules=list_static("operations", "*.js"),
        flower_url=web_context().services.settings.flower_url or "/flower/",
    )
