"""The language tables as patterns, and which language a text is in."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from shared.policy.facts.grounding.folding import tidy
from shared.policy.facts.grounding.vocabulary import split_list
from shared.policy.facts.languages import LANGUAGES
from shared.policy.facts.languages.form import Language, Script

_LETTER = r"[\w\u0300-\u036f\u0900-\u0dff]"  # vowel signs are no \w
NOTHING = re.compile(r"(?!)")
# Japanese is Chinese with kana.
_SCRIPTS: dict[str, Script] = {
    "HIRAGANA": "kana", "KATAKANA": "kana", "CJK": "han", "CYRILLIC": "cyrillic",
    "ARABIC": "arabic", "DEVANAGARI": "devanagari", "LATIN": "latin",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False)
class Marks:
    """One language's patterns; they search a text that went through `plain`."""

    language: Language
    common: re.Pattern[str]
    own: re.Pattern[str]
    possessive: re.Pattern[str]
    name_nouns: re.Pattern[str]
    others: re.Pattern[str]
    other_verbs: re.Pattern[str]
    people: dict[str, re.Pattern[str]]
    anybody: re.Pattern[str]
    verbs: re.Pattern[str]
    breaks: re.Pattern[str]
    asks: re.Pattern[str]
    asks_last: re.Pattern[str]
    hypothetical: re.Pattern[str]
    polite: re.Pattern[str]
    hedges: re.Pattern[str]
    negations: re.Pattern[str]
    no_negations: re.Pattern[str]
    ends: re.Pattern[str]
    closings: re.Pattern[str]
    renewals: re.Pattern[str]
    likes: re.Pattern[str]
    dislikes: re.Pattern[str]
    play: re.Pattern[str]
    tasks: re.Pattern[str]
    reports: re.Pattern[str]
    claims: re.Pattern[str]
    homes: re.Pattern[str]
    jobs: re.Pattern[str]


def plain(text: str) -> str:
    """Lower case, with its accents: "si" and "sí" differ."""
    return unicodedata.normalize("NFC", tidy(text).casefold())


@functools.cache
def list_marks() -> tuple[Marks, ...]:
    return tuple(_compile(language) for language in LANGUAGES)


@functools.lru_cache(maxsize=512)
def recognise(text: str) -> tuple[Marks, ...]:
    """Those of the language whose frequent words `text` has most of; several when it is a draw.

    Empty: a language that has no table, or no word that tells.
    """
    script = _script(text)
    fitting = [marks for marks in list_marks() if marks.language.script == script]
    if len(fitting) == 1:
        return tuple(fitting)
    scores = [_score(marks, text) for marks in fitting]
    best = max(scores, default=0)
    if best == 0:
        return ()
    return tuple(m for m, score in zip(fitting, scores, strict=True) if score == best)


def _score(marks: Marks, text: str) -> int:
    """What is the user's own weighs double: "I" is no word of another language."""
    return (
        len(marks.common.findall(text))
        + 2 * len(marks.own.findall(text))
        + len(marks.verbs.findall(text))
        + len(marks.anybody.findall(text))
        + len(marks.negations.findall(text))
        + len(marks.asks.findall(text))
        + len(marks.hypothetical.findall(text))
    )


def _script(text: str) -> Script | None:
    """The one with the most letters; any kana makes a text Japanese."""
    counts: dict[Script, int] = {}
    for char in text:
        if char.isalpha():
            script = _script_of(char)
            if script:
                counts[script] = counts.get(script, 0) + 1
    if "kana" in counts:
        return "kana"
    return max(counts, key=lambda script: counts[script], default=None)


@functools.lru_cache(maxsize=4096)
def _script_of(char: str) -> Script | None:
    return _SCRIPTS.get(unicodedata.name(char, "").split(" ")[0].split("-")[0])


def _compile(language: Language) -> Marks:
    def any_of(column: str, *, ends_text: bool = False) -> re.Pattern[str]:
        return _any_of(split_list(column), language.is_unspaced, ends_text=ends_text)

    people = {name: any_of(words) for name, words in language.people.items()}
    columns = (
        "common", "own", "possessive", "name_nouns", "others", "other_verbs", "verbs", "asks",
        "hypothetical", "polite", "hedges", "negations", "no_negations", "ends", "closings",
        "renewals", "likes", "dislikes", "play", "tasks", "reports", "claims", "homes", "jobs",
    )  # fmt: skip
    return Marks(
        language=language,
        people=people,
        anybody=any_of(", ".join(language.people.values())),
        breaks=_breaks(language),
        asks_last=any_of(language.asks_last, ends_text=True),
        **{column: any_of(getattr(language, column)) for column in columns},
    )


def _breaks(language: Language) -> re.Pattern[str]:
    """Where one clause ends and another begins: always at "but", at "and" before a subject."""
    buts = split_list(language.buts)
    columns = (language.own, language.possessive, language.others, language.verbs)
    follows = _any_of(split_list(", ".join(columns)), language.is_unspaced).pattern
    ands = _any_of(split_list(language.ands), language.is_unspaced).pattern
    but = _any_of(buts, language.is_unspaced).pattern
    return re.compile(rf"(?P<but>{but})|(?:{ands})(?=\s*(?:{follows}))|[,;，；、،—–]|:\s|\s-\s")


def _any_of(words: Iterable[str], is_unspaced: bool, *, ends_text: bool = False) -> re.Pattern[str]:
    found = sorted({plain(word) for word in words}, key=len, reverse=True)
    if not found:
        return NOTHING
    body = "|".join(re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for word in found)
    end = r"(?=[\s。．.!！？?…]*$)" if ends_text else ""
    if is_unspaced:
        return re.compile(f"(?:{body}){end}")
    # "l'" and "j'" touch the word that follows.
    return re.compile(rf"(?<!{_LETTER})(?:{body})(?:(?<=')|(?!{_LETTER})){end}")
