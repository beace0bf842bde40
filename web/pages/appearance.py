"""The theme and the text size that this browser has chosen.

The settings dialog keeps them in cookies (`static/js/page/look.js`). The server writes them into
`<html>`, so that they hold before the first paint without an inline script.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flask import request
from werkzeug.wrappers import Request

from web.pages.language import current_language
from web.pages.texts import direction_of

THEME_COOKIE, SIZE_COOKIE = "throughline-theme", "throughline-size"
#: The colour of the browser's own bars by theme: `--paper` in `static/css/base.css`.
PAPER = {"light": "#fbfaf6", "dark": "#131716"}
SIZES = frozenset({"small", "large"})


@dataclass(frozen=True, kw_only=True)
class Appearance:
    #: None: as the system has it.
    theme: str | None
    #: None: normal.
    text_size: str | None

    @property
    def papers(self) -> Iterable[tuple[str, str]]:
        return PAPER.items()

    def media_of(self, theme: str) -> str:
        """The media query under which a theme gives the colour of the browser's bars."""
        if self.theme is None:
            return f"(prefers-color-scheme: {theme})"
        return "all" if theme == self.theme else "not all"


def read_appearance(request: Request) -> Appearance:
    """Read the choices from cookies. Unknown values count as none: anybody may write cookies."""
    theme, size = request.cookies.get(THEME_COOKIE), request.cookies.get(SIZE_COOKIE)
    return Appearance(
        theme=theme if theme in PAPER else None, text_size=size if size in SIZES else None
    )


def page_values() -> dict[str, object]:
    """What `templates/start.html` writes into `<html>`, for each template."""
    language = current_language()
    return {
        "lang": language,
        "direction": direction_of(language),
        "look": read_appearance(request),
    }
