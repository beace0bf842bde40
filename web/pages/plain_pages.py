"""Pages that are whole without scripts: what went wrong, and a chat to be printed."""

from __future__ import annotations

from flask import Request, Response, render_template

from web.errors import ErrorForm, Fault
from web.pages.assets import STYLES
from web.pages.language import current_language
from web.pages.texts import read_plain_texts

#: What programs ask for. They get JSON, also where a browser opens the address.
PROGRAMS = ("/api/", "/v1/", "/chat", "/mcp", "/metrics")
HTML, JSON = "text/html", "application/json"


def wants_page(request: Request) -> bool:
    """Whether a browser opens the address. Programs, and the page's scripts, take anything."""
    is_program = request.path.startswith(PROGRAMS)
    return not is_program and request.accept_mimetypes.best_match((JSON, HTML)) == HTML


def _show_error(fault: Fault) -> Response:
    """The message is shown where the site has no words of its own for the status."""
    status = fault.status
    texts = read_plain_texts(current_language())
    fallback = "error.400.title" if status < 500 else "error.500.title"
    return show_page(
        "error",
        status,
        title=texts.get(f"error.{status}.title", texts[fallback]),
        text=texts.get(f"error.{status}.text", fault.message),
    )


def show_page(page: str, status: int = 200, /, **values: object) -> Response:
    """A page of `templates/plain`."""
    html = render_template(
        f"plain/{page}.html", texts=read_plain_texts(current_language()), styles=STYLES, **values
    )
    return Response(html, status, mimetype=HTML)


#: Of errors, for a browser that opens an address which is not of the API.
ERROR_FORM = ErrorForm(is_for=wants_page, respond=_show_error)
