"""The texts of the page, of the account pages, and of those without scripts, by language."""

from __future__ import annotations

import functools
import json
from pathlib import Path

LANGUAGE = "en"
FOLDER = Path(__file__).parent / "static" / "texts"


@functools.lru_cache(maxsize=1)
def read_texts() -> dict[str, str]:
    """The page's texts by key, for the templates and (as JSON) for the scripts."""
    texts: dict[str, str] = json.loads((FOLDER / f"{LANGUAGE}.json").read_text("utf-8"))
    return texts


@functools.lru_cache(maxsize=1)
def read_account_texts() -> dict[str, str]:
    """The texts of the account pages by key, and of those that they share with the page."""
    return _with_names(f"account-{LANGUAGE}.json")


@functools.lru_cache(maxsize=1)
def read_plain_texts() -> dict[str, str]:
    """The texts of `templates/plain` by key. They are none of the page's, which stays light."""
    return _with_names(f"pages-{LANGUAGE}.json")


def _with_names(filename: str) -> dict[str, str]:
    """The texts of one file, and the site's names."""
    own: dict[str, str] = json.loads((FOLDER / filename).read_text("utf-8"))
    return own | {name: text for name, text in read_texts().items() if name.startswith("app.")}
