"""Finds a language's words and phrases in a text, and tells which language a text is in."""

from __future__ import annotations

import functools
import re
import unicodedata

from shared.languages import LANGUAGES
from shared.languages.form import Language, split_list
from shared.policy.facts.grounding.words import tidy
from shared.policy.text_cache import cached_by_text

LETTER = r"[\w\u0300-\u036f\u0900-\u0dff]"  # \w lacks vowel signs
_KANA = re.compile(r"[\u3040-\u30ff]")
NOTHING = re.compile(r"(?!)")


def plain(text: str) -> str:
    """Lower case, accents kept: "si" and "sí" differ."""
    return unicodedata.normalize("NFC", tidy(text).casefold())


@functools.cache
def any_of(language: Language, column: str) -> re.Pattern[str]:
    """Matches one of the words in a column of the language's file, in a text as `plain` gives it.

    Each is compiled when it is first used: all at once would slow each process's start.
    """
    listed = getattr(language, column)
    return compile_words(split_list(listed), language)


def compile_words(words: list[str], language: Language) -> re.Pattern[str]:
    plain_words = sorted({plain(word) for word in words}, key=len, reverse=True)
    if not plain_words:
        return NOTHING
    body = "|".join(
        re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for word in plain_words
    )
    if not language.spaced:
        return re.compile(f"(?:{body})")
    prefix = f"[{language.prefixes}]?" if language.prefixes else ""
    # "l'" and "j'" have no space after them.
    return re.compile(rf"(?<!{LETTER}){prefix}(?:{body})(?:(?<=')|(?!{LETTER}))")


@cached_by_text(512)
def recognise(text: str) -> tuple[Language, ...]:
    """The languages with most words in `text`, which went through `plain`; the best one first.

    Those with half as many are among them: a short sentence has few. All, if none has any.
    """
    scores = {language: _score(language, text) for language in _fitting(text)}
    best = max(scores.values(), default=0)
    likely = [each for each, score in scores.items() if best and score * 2 >= best]
    return tuple(sorted(likely, key=lambda each: -scores[each])) or LANGUAGES


def _fitting(text: str) -> tuple[Language, ...]:
    """One kana makes a text Japanese, which has words of Chinese."""
    is_japanese = bool(_KANA.search(text))
    return tuple(each for each in LANGUAGES if each.code != ("zh" if is_japanese else "ja"))


def _score(language: Language, text: str) -> int:
    """Words for the user count double, because few languages share them."""
    columns = ("first_person", "first_person", "common", "verbs", "negations", "subjects")
    return sum(len(any_of(language, column).findall(text)) for column in columns)
