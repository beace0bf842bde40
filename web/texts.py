"""The texts of the page, and of the account pages: one file for each language."""

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
    own: dict[str, str] = json.loads((FOLDER / f"account-{LANGUAGE}.json").read_text("utf-8"))
    return own | {name: text for name, text in read_texts().items() if name.startswith("app.")}
