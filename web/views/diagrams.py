"""The frame in which the page has diagrams drawn, apart from itself.

It has no origin of its own, so it has no cookies and may read nothing of the site. Nothing but its
two scripts is loaded in it.
"""

from __future__ import annotations

from flask import Blueprint, Response, render_template

POLICY = (
    "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)

blueprint = Blueprint("diagrams", __name__)


@blueprint.get("/diagrams/frame")
def frame() -> Response:
    response = Response(render_template("diagrams/frame.html"), mimetype="text/html")
    response.headers["Content-Security-Policy"] = POLICY
    return response
