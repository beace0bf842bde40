"""The texts for people have no word of the program's makers (docs/languages.md)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from web.pages.texts import FOLDER

MAKERS_WORDS = {
    "en": r"stand-in|vector|as its server calls it|\bepisodes?\b|\boperators?\b|\bremembered:",
    "de": "ersatzmodell|vektor|wie sein server es nennt|episode|betreiber|gemerkt:",
    "ar": "البديل المدمج|النموذج البديل|متجه|متّجه|حلقة|حلقات|مشغّل",
}
#: Who runs the site reads how many messages and replies there are of everybody.
OF_PEOPLE_ALONE = {"en": r"\brounds?\b|rolling", "de": r"\brunden?\b", "ar": "جولة|جولات|المتجدد"}
IN_ALL = "litellm|offline/|extractive"
OF_OPERATIONS = "operations."


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: str(path.stem))
def test_a_text_has_no_word_of_its_makers(path: Path) -> None:
    language = path.stem.rpartition("-")[2]
    texts: dict[str, str] = json.loads(path.read_text("utf-8"))
    refused = f"{IN_ALL}|{MAKERS_WORDS[language]}"
    of_people = f"{refused}|{OF_PEOPLE_ALONE[language]}"
    hits = {
        key: text
        for key, text in texts.items()
        if re.search(refused if key.startswith(OF_OPERATIONS) else of_people, text.lower())
    }
    assert hits == {}
