"""The languages that are complete have each text, with the same placeholders as English.

A language that is not listed in `COMPLETE` may lack texts: they are shown in English.
"""

from __future__ import annotations

import json
import re

import pytest

from web.pages.texts import (
    FOLDER,
    OPERATORS_OWN,
    SOURCE,
    TEMPLATES_OWN,
    list_languages,
    read_texts,
    write_texts,
)

COMPLETE = ("de", "ar")
SETS = ("", "account-", "pages-")
PLACEHOLDER = re.compile(r"\{\w+\}")
PLURAL = re.compile(r"(.+)\.(zero|one|two|few|many|other)")
#: The same in each language: names, commands, and what has no words.
NO_WORDS = {"app.name"}


def read_file(kind: str, language: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads((FOLDER / f"{kind}{language}.json").read_text("utf-8"))
    return texts


def read_pair(kind: str, language: str) -> tuple[dict[str, str], dict[str, str]]:
    """English and the other language."""
    return read_file(kind, SOURCE), read_file(kind, language)


def stem(key: str, english: dict[str, str]) -> str:
    """The English key of a plural form that English does not have."""
    plural = PLURAL.fullmatch(key)
    if key not in english and plural and f"{plural[1]}.other" in english:
        return f"{plural[1]}.other"
    return key


def placeholders(key: str, text: str) -> set[str]:
    """A plural form may say its number in words."""
    names = set(PLACEHOLDER.findall(text))
    return names - {"{count}"} if PLURAL.fullmatch(key) else names


@pytest.mark.parametrize("kind", SETS)
@pytest.mark.parametrize("language", COMPLETE)
def test_a_complete_language_lacks_no_text(kind: str, language: str) -> None:
    english, translation = read_pair(kind, language)
    missing = {key: text for key, text in english.items() if key not in translation}
    message = f"Translate into {kind}{language}.json:\n"
    assert not missing, message + json.dumps(missing, ensure_ascii=False, indent=2)


@pytest.mark.parametrize("kind", SETS)
@pytest.mark.parametrize("language", COMPLETE)
def test_a_language_has_no_text_that_english_lacks(kind: str, language: str) -> None:
    english, translation = read_pair(kind, language)
    assert [key for key in translation if stem(key, english) not in english] == []


@pytest.mark.parametrize("kind", SETS)
@pytest.mark.parametrize("language", COMPLETE)
def test_placeholders_are_those_of_english(kind: str, language: str) -> None:
    english, translation = read_pair(kind, language)
    wrong = {
        key: text
        for key, text in translation.items()
        if placeholders(key, text) != placeholders(key, english.get(stem(key, english), ""))
    }
    assert wrong == {}


@pytest.mark.parametrize("kind", SETS)
@pytest.mark.parametrize("language", COMPLETE)
def test_no_sentence_is_left_in_english(kind: str, language: str) -> None:
    """Single words may be the same: Name, Export, Webhooks."""
    english, translation = read_pair(kind, language)
    left = {
        key: text
        for key, text in translation.items()
        if text == english.get(key)
        and key not in NO_WORDS
        and len(re.findall(r"[^\W\d]{2,}", PLACEHOLDER.sub("", text))) > 1
    }
    assert left == {}


@pytest.mark.parametrize("kind", SETS)
def test_no_arabic_text_is_in_latin_letters_alone(kind: str) -> None:
    english, translation = read_pair(kind, "ar")
    words = {
        key: PLACEHOLDER.sub("", text) for key, text in translation.items() if key not in NO_WORDS
    }
    latin = [key for key, text in words.items() if re.search(r"[A-Za-z]", text)]
    latin = [key for key in latin if not re.search(r"[\u0600-\u06ff]", words[key])]
    assert [key for key in latin if key != "language.direction"] == []
    assert english


def test_arabic_has_a_form_for_each_of_its_plurals() -> None:
    texts = read_file("", "ar")
    stems = {match[1] for key in texts if (match := PLURAL.fullmatch(key)) and match[2] == "few"}
    assert len(stems) > 10
    forms = ("zero", "one", "two", "few", "many", "other")
    assert [
        f"{name}.{form}" for name in stems for form in forms if f"{name}.{form}" not in texts
    ] == []


def test_each_language_has_a_name_and_a_direction() -> None:
    names = list_languages()
    assert next(iter(names)) == SOURCE
    assert (names["de"], names["ar"]) == ("Deutsch", "العربية")
    assert {read_texts(tag)["language.direction"] for tag in names} == {"ltr", "rtl"}


def test_the_texts_that_are_sent_are_safe_within_a_script_element() -> None:
    document = write_texts(SOURCE)
    assert "<" not in document
    for_scripts = {
        key: text for key, text in read_texts(SOURCE).items() if not key.startswith(TEMPLATES_OWN)
    }
    assert json.loads(document) == {
        key: text for key, text in for_scripts.items() if not key.startswith(OPERATORS_OWN)
    }
    assert json.loads(write_texts(SOURCE, operators=True)) == for_scripts
    assert any(key.startswith(OPERATORS_OWN) for key in for_scripts)
    assert "المحادثات" in write_texts("ar")


def test_scripts_name_no_text_that_they_are_not_sent() -> None:
    scripts = "".join(path.read_text() for path in (FOLDER.parent / "js").rglob("*.js"))
    assert "t('list.more')" in scripts
    assert [
        begin for begin in TEMPLATES_OWN if re.search(rf"['\"`]{re.escape(begin)}", scripts)
    ] == []
