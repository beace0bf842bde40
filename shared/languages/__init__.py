"""What code must know of human languages: one file of words for each, and CLDR's names of months.

Read once a process. How a language is added stands in docs/languages.md.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any, NamedTuple

from shared.languages.form import Language, Wording, numbers_up_to_99


class CalendarNames(NamedTuple):
    """CLDR's names, from January and from Monday on, with bars between."""

    months: str
    #: As they are written without a day.
    months_alone: str
    days: str


def _read_language(text: str) -> Language:
    tables: dict[str, Any] = tomllib.loads(text)
    numbers = tables.pop("numbers", {})
    recall = tables.pop("recall", None)
    is_spaced = tables.get("spaced", True)
    return Language(
        **tables.pop("words", {}),
        **tables.pop("time", {}),
        **tables.pop("forgetting", {}),
        **tables.pop("secrets", {}),
        numbers=numbers_up_to_99(**numbers),
        recall=None if recall is None else _read_wording(tables["code"], recall, is_spaced),
        **tables,
    )


def _read_wording(code: str, table: Mapping[str, Any], is_spaced: bool) -> Wording:
    lists = {name: tuple(table[name]) for name in ("units", "two") if name in table}
    return Wording(code=code, writes_spaces=is_spaced, **{**table, **lists})


def _read_all() -> tuple[Language, ...]:
    """English first: a text that several languages could have written is taken for English."""
    texts = (
        file.read_text(encoding="utf-8")
        for file in resources.files(__name__).iterdir()
        if file.name.endswith(".toml")
    )
    languages = map(_read_language, texts)
    return tuple(sorted(languages, key=lambda each: (each.code != "en", each.code)))


def _read_json(name: str) -> dict[str, Any]:
    text = resources.files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


LANGUAGES = _read_all()
#: Of the languages in which questions about former talks are read.
WORDINGS = tuple(language.recall for language in LANGUAGES if language.recall)
NAMES = {code: CalendarNames(**names) for code, names in _read_json("cldr").items()}
#: Words that models translate, by the English one: in all languages, with commas between.
CONCEPTS: dict[str, str] = _read_json("concepts")
