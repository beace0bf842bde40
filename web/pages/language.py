"""The language of a page: the reader's choice in the settings, else what the browser asks for."""

from __future__ import annotations

from flask import Response, after_this_request, g, request
from werkzeug.datastructures import LanguageAccept

from web.pages.texts import SOURCE, list_languages

COOKIE = "throughline-language"
KEPT_S = 365 * 24 * 3600


def current_language() -> str:
    """The tag of one of `list_languages`. It is the same for the whole request."""
    if "language" not in g:
        g.language = _choose_language()
        after_this_request(_vary_by_language)
    language: str = g.language
    return language


def find_chosen_language() -> str | None:
    """The language that the reader has chosen on the page, if any."""
    chosen = request.cookies.get(COOKIE)
    return chosen if chosen in list_languages() else None


def keep_language(response: Response, language: str, *, is_secure: bool) -> None:
    """The reader's choice, as `static/js/page/cookies.js` keeps it. Unknown languages are none."""
    if language in list_languages():
        response.set_cookie(
            COOKIE, language, max_age=KEPT_S, secure=is_secure, samesite="Lax", path="/"
        )


def _choose_language() -> str:
    return find_chosen_language() or _best_match(request.accept_languages)


def _best_match(languages: LanguageAccept) -> str:
    """The best of the browser's languages that there are texts for.

    `de-CH` is content with `de`, before any language that was asked for after it. werkzeug's own
    match tries all exact tags first.
    """
    known = {tag.lower(): tag for tag in list_languages()}
    for tag, quality in languages:
        exact = tag.lower()
        language = known.get(exact) or known.get(exact.partition("-")[0])
        if language and quality > 0:
            return language
    return SOURCE


def _vary_by_language(response: Response) -> Response:
    """Caches on the way may not give one reader's language, or theme, to another."""
    response.vary.update(("Accept-Language", "Cookie"))
    return response
