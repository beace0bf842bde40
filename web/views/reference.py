"""The API's own description: its document, a page to browse it, and the list of problems."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify, render_template, request

from web.api.document import write_document
from web.api.outline import group_operations, name_schema
from web.api.versions import PREFIX
from web.errors import STATUS_OF_CODE, TITLE_OF_CODE, problem_type
from web.local_access import cookie_name
from web.texts import SOURCE, direction_of

blueprint = Blueprint("reference", __name__, url_prefix=PREFIX)


@blueprint.get("/openapi.json")
def document() -> Response:
    return jsonify(write_document(current_app, cookie_name(request)))


@blueprint.get("/docs")
def show() -> str:
    """The document as a page without scripts. Both are in English."""
    described = write_document(current_app, cookie_name(request))
    return render_template(
        "reference/page.html",
        lang=SOURCE,
        direction=direction_of(SOURCE),
        document=described,
        groups=group_operations(described),
        name_schema=name_schema,
    )


@blueprint.get("/problems")
def list_problems() -> Response:
    """What the `type` of a problem refers to."""
    problems = [
        {
            "type": problem_type(code),
            "code": code,
            "title": title,
            "status": STATUS_OF_CODE.get(code),
        }
        for code, title in sorted(TITLE_OF_CODE.items())
    ]
    return jsonify(problems=problems)
