"""The page's sentences, in one file a language."""

from __future__ import annotations

import functools
import json
from pathlib import Path

LANGUAGE = "en"
FOLDER = Path(__file__).parent / "static" / "texts"


@functools.lru_cache(maxsize=1)
def read_texts() -> dict[str, str]:
    """Every sentence of the page by its key, for the templates and (as JSON) for the scripts."""
    texts: dict[str, str] = json.loads((FOLDER / f"{LANGUAGE}.json").read_text("utf-8"))
    return texts
