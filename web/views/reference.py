"""The API's own description: its document, a page to browse it, and the list of problems.

Anybody may ask for them, as often as they like. To write them takes a fifth of a second, so that is
done once in a process.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from flask import Blueprint, Response, current_app, json, jsonify, render_template, request

from web.api.document import write_document
from web.api.outline import group_operations, name_schema
from web.api.problems import problem_type
from web.errors import STATUS_OF_CODE, TITLE_OF_CODE
from web.pages.appearance import Appearance, read_appearance
from web.pages.fixed_answers import FixedAnswer, Once
from web.pages.texts import SOURCE, direction_of
from web.process.context import web_context
from web.requests.routing import PREFIX

#: A new version of the site is seen after five minutes.
CACHE_CONTROL = "public, max-age=300"

#: The document, or its page in a look.
Form: TypeAlias = Appearance | Literal["document"]

blueprint = Blueprint("reference", __name__, url_prefix=PREFIX)


@blueprint.get("/openapi.json")
def document() -> Response:
    return _answers().get("document").respond(CACHE_CONTROL)


@blueprint.get("/docs")
def show() -> Response:
    """The document as a page without scripts, in each of the few looks that browsers choose."""
    response = _answers().get(read_appearance(request)).respond(CACHE_CONTROL)
    response.vary.add("Cookie")
    return response


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


def _answers() -> Once[Form, FixedAnswer]:
    """The answers of this application: another one in the process may have other addresses."""
    answers: Once[Form, FixedAnswer] = current_app.extensions.setdefault("reference", Once(_write))
    return answers


def _write(form: Form) -> FixedAnswer:
    port = web_context().services.settings.port
    described = write_document(current_app, f"throughline-{port}")
    if form == "document":
        return FixedAnswer(json.dumps(described).encode(), "application/json")
    html = render_template(
        "reference/page.html",
        lang=SOURCE,
        direction=direction_of(SOURCE),
        look=form,
        document=described,
        groups=group_operations(described),
        name_schema=name_schema,
    )
    return FixedAnswer(html.encode(), "text/html")
