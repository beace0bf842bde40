"""The texts of the page, of the account pages, and of those without scripts, by language.

A language is a file `static/texts/xx.json`, with `account-xx.json` and `pages-xx.json` beside it.
What a language lacks is shown in English.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Literal

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

SOURCE = "en"
FOLDER = Path(__file__).parents[1] / "static" / "texts"
#: A tag such as `de` or `pt-BR`. The other files of the folder have longer names.
TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")
#: Texts of the operators' page, which nobody else is sent.
OPERATORS_OWN = "operations."
#: Texts that the server alone writes into the page: its scripts are not sent them.
TEMPLATES_OWN = ("look.", "notify.", "settings.tab.", "shortcuts.", "token.")
#: What the account pages say of an error. In English they are what the code says.
ERRORS = "error."

TextSet = Literal["", "account-", "pages-"]


@functools.cache
def list_languages() -> dict[str, str]:
    """The name of each language in its own words, by its tag: English, then by the tags."""
    tags = sorted(path.stem for path in FOLDER.glob("*.json") if TAG.fullmatch(path.stem))
    tags.sort(key=lambda tag: tag != SOURCE)
    return {tag: _read_own("", tag).get("language.name", tag) for tag in tags}


@functools.cache
def direction_of(language: str) -> str:
    return read_texts(language)["language.direction"]


@functools.cache
def read_texts(language: str) -> dict[str, str]:
    """The page's texts by key, for the templates."""
    return _read("", language)


@functools.cache
def write_texts(language: str, *, operators: bool = False) -> Markup:
    """The page's texts as JSON for its scripts, safe within `<script>`."""
    texts = read_texts(language)
    page_texts = {
        key: texts[key]
        for key in texts
        if (operators or not key.startswith(OPERATORS_OWN)) and not key.startswith(TEMPLATES_OWN)
    }
    return htmlsafe_json_dumps(page_texts, functools.partial(json.dumps, ensure_ascii=False))


@functools.cache
def read_account_texts(language: str) -> dict[str, str]:
    """The texts of the account pages by key, and of those that they share with the page."""
    return _read("account-", language) | _names(language)


def say_on_account_pages(message: str, language: str) -> str:
    """A message of the server's in a language, where the account pages have a text for it."""
    key = _keys_of_messages().get(message)
    return read_account_texts(language)[key] if key else message


@functools.cache
def read_plain_texts(language: str) -> dict[str, str]:
    """The texts of `templates/plain` by key. They are none of the page's, which stays light."""
    return _read("pages-", language) | _names(language)


@functools.cache
def _keys_of_messages() -> dict[str, str]:
    """The key of each error by its text in English."""
    texts = _read_own("account-", SOURCE)
    return {text: key for key, text in texts.items() if key.startswith(ERRORS)}


def _names(language: str) -> dict[str, str]:
    """The site's names."""
    return {key: text for key, text in read_texts(language).items() if key.startswith("app.")}


def _read(kind: TextSet, language: str) -> dict[str, str]:
    return _read_own(kind, SOURCE) | _read_own(kind, language)


def _read_own(kind: TextSet, language: str) -> dict[str, str]:
    """Without English for what is missing."""
    path = FOLDER / f"{kind}{language}.json"
    texts: dict[str, str] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return texts
