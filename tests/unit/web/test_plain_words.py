"""The texts for people have no word of the program's makers (docs/languages.md)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from web.pages.texts import FOLDER

MAKERS_WORDS = {
    "en": ("stand-in", "vector", "as its server calls it"),
    "de": ("ersatzmodell", "vektor", "wie sein server es nennt"),
    "ar": ("البديل المدمج", "النموذج البديل", "متجه", "متّجه"),
}
IN_ALL = ("litellm", "offline/", "extractive")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: str(path.stem))
def test_a_text_has_no_word_of_its_makers(path: Path) -> None:
    language = path.stem.rpartition("-")[2]
    texts: dict[str, str] = json.loads(path.read_text("utf-8"))
    refused = (*IN_ALL, *MAKERS_WORDS[language])
    hits = {key: text for key, text in texts.items() if any(w in text.lower() for w in refused)}
    assert hits == {}
