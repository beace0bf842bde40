"""Turns the tables of words into patterns, and recognises the language of a text."""

from __future__ import annotations

import functools
import re
import string
import unicodedata
from collections.abc import Iterable
from dataclasses import fields

from shared.policy.facts.grounding.folding import tidy
from shared.policy.facts.grounding.vocabulary import split_list
from shared.policy.facts.languages import LANGUAGES
from shared.policy.facts.languages.form import Language, Script
from shared.policy.text_cache import cached_by_text

_LETTER = r"[\w\u0300-\u036f\u0900-\u0dff]"  # \w lacks vowel signs
#: Of a text's words a language must know so many. Others share a word by chance.
LEAST_SHARE = 0.25
MAX_TIED = 2
FOREIGN = 2  # words that a word with a letter of another language outweighs
NOTHING = re.compile(r"(?!)")
# By the first word of a character's Unicode name. Kana tells Japanese from Chinese.
_SCRIPTS: dict[str, Script] = {
    "HIRAGANA": "kana", "KATAKANA": "kana", "CJK": "han", "CYRILLIC": "cyrillic",
    "ARABIC": "arabic", "DEVANAGARI": "devanagari", "LATIN": "latin",
}  # fmt: skip


class Patterns:
    """The columns of one language's table (see `languages/form.py`) as patterns.

    The patterns match texts that went through `plain`. Each is compiled when it is first used: all
    of them at once would take a third of a second of each process's start.
    """

    common: re.Pattern[str]
    first_person: re.Pattern[str]
    possessive: re.Pattern[str]
    name_nouns: re.Pattern[str]
    others: re.Pattern[str]
    other_verbs: re.Pattern[str]
    no_people: re.Pattern[str]
    verbs: re.Pattern[str]
    ands: re.Pattern[str]
    asks: re.Pattern[str]
    hypothetical: re.Pattern[str]
    polite: re.Pattern[str]
    hedges: re.Pattern[str]
    negations: re.Pattern[str]
    no_negations: re.Pattern[str]
    ends: re.Pattern[str]
    closings: re.Pattern[str]
    renewals: re.Pattern[str]
    additions: re.Pattern[str]
    frames: re.Pattern[str]
    likes: re.Pattern[str]
    dislikes: re.Pattern[str]
    play: re.Pattern[str]
    tasks: re.Pattern[str]
    reports: re.Pattern[str]
    claims: re.Pattern[str]
    writes: re.Pattern[str]
    points: re.Pattern[str]
    claims_text: re.Pattern[str]
    remembers: re.Pattern[str]
    forgets: re.Pattern[str]
    subjects: re.Pattern[str]
    unwanted: re.Pattern[str]
    corrections: re.Pattern[str]
    past: re.Pattern[str]
    passing: re.Pattern[str]
    mocks: re.Pattern[str]
    emphatic: re.Pattern[str]
    homes: re.Pattern[str]
    jobs: re.Pattern[str]

    def __init__(self, table: Language) -> None:
        self.table = table
        #: All that its words are written with.
        self.letters = _letters(table)

    def __getattr__(self, column: str) -> re.Pattern[str]:
        if column not in Patterns.__annotations__:
            raise AttributeError(column)
        pattern = self._any_of(getattr(self.table, column))
        setattr(self, column, pattern)
        return pattern

    @functools.cached_property
    def people(self) -> dict[str, re.Pattern[str]]:
        """By relation. "my girlfriends name": many leave the apostrophe out."""
        return {
            name: _any_of(_with_s(split_list(words)), self.table)
            for name, words in self.table.people.items()
        }

    @functools.cached_property
    def anybody(self) -> re.Pattern[str]:
        return self._any_of(", ".join(self.table.people.values()))

    @functools.cached_property
    def breaks(self) -> re.Pattern[str]:
        return _breaks(self.table)

    @functools.cached_property
    def asks_last(self) -> re.Pattern[str]:
        return self._any_of(self.table.asks_last, ends_text=True)

    @functools.cached_property
    def label_ends(self) -> re.Pattern[str]:
        return self._any_of(self.table.label_ends, ends_text=True)

    def _any_of(self, words: str, *, ends_text: bool = False) -> re.Pattern[str]:
        return _any_of(split_list(words), self.table, ends_text=ends_text)


def plain(text: str) -> str:
    """Lower case, accents kept: "si" and "sí" differ."""
    return unicodedata.normalize("NFC", tidy(text).casefold())


@functools.cache
def list_languages() -> tuple[Patterns, ...]:
    return tuple(Patterns(table) for table in LANGUAGES)


@cached_by_text(512)
def recognise(text: str) -> tuple[Patterns, ...]:
    """The language with the most words in `text`; several languages if they tie.

    Empty: the language has no table, or no table has a word of `text`.
    """
    script = _script(text)
    fitting = [language for language in list_languages() if language.table.script == script]
    if len(fitting) == 1:
        return tuple(fitting)
    scores = [_score(language, text) for language in fitting]
    best = max(scores, default=0)
    if best == 0:
        return ()
    words = [word for word in text.split() if any(char.isalpha() for char in word)]
    if best < LEAST_SHARE * len(words):
        return ()
    languages = tuple(
        language for language, score in zip(fitting, scores, strict=True) if score == best
    )
    # One short word that many languages have tells none.
    return languages if best > 1 or len(languages) <= MAX_TIED or len(words) <= 1 else ()


def _score(language: Patterns, text: str) -> int:
    """Words for the user count double, because few languages share them.

    Words of one letter tell a language only beside others, or at the beginning: "i" is "in" in
    Swedish. Words with a letter that the language does not have speak against it.
    """
    if not _tells(language, text):
        return 0
    foreign = sum(
        any(char.isalpha() and char not in language.letters for char in word)
        for word in set(text.split())
    )
    return -FOREIGN * foreign + (
        len(language.common.findall(text))
        + 2 * len(language.first_person.findall(text))
        + len(language.verbs.findall(text))
        + len(language.other_verbs.findall(text))
        + len(language.anybody.findall(text))
        + len(language.negations.findall(text))
        + len(language.asks.findall(text))
        + len(language.hypothetical.findall(text))
    )


def _tells(language: Patterns, text: str) -> bool:
    columns = (
        language.first_person, language.common, language.verbs, language.negations, language.asks,
        language.other_verbs, language.anybody, language.hypothetical,
    )  # fmt: skip
    return any(
        len(match[0]) > 1 or match.start() == 0
        for column in columns
        for match in column.finditer(text)
    )


def _script(text: str) -> Script | None:
    """The script of most letters. A single kana makes the text Japanese."""
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


def _letters(table: Language) -> frozenset[str]:
    """The letters of the table, and all letters without accents."""
    columns = (getattr(table, field.name) for field in fields(table))
    words = plain(" ".join(column for column in columns if isinstance(column, str)))
    people = plain(" ".join(table.people.values()))
    return frozenset(words + people + string.printable)


def _with_s(words: Iterable[str]) -> list[str]:
    return [form for word in words for form in ((word, f"{word}s") if word.isascii() else (word,))]


#: "like my sister", "wie meine Mutter". After "I" it is a verb.
LIKENED = re.compile(
    r"^(?:just |much |exactly )?(?:like|unlike) (?:him|her|them)(?!\w)|"
    r"(?:^(?:just |much |exactly )?(?:like|unlike)|\bthe same as|\bas well as|\bwie|\bcomme|\bcomo|"
    r"\bcome|\bnet als|\bzoals|\bкак)\s+"
    r"(?:my|our|mein\w*|unser\w*|mon|ma|mes|notre|mi|mis|nuestr\w+|mia|mio|minha|meu|mijn|onze|мо\w+)"
    r"\s+\w+"
)
#: Not the comma of "1,150".
COMMAS = r"[;，；、،—–]|(?<!\d),|,(?!\d)"


def _breaks(table: Language) -> re.Pattern[str]:
    """Where a clause ends: at commas, dashes, "but"; at "and" before a subject, a verb or "not"."""
    columns = (table.first_person, table.possessive, table.others, table.verbs, table.negations)
    follows, ands, cause, but = (
        _any_of(split_list(column), table).pattern
        for column in (", ".join(columns), table.ands, table.causes, table.buts)
    )
    prefixed = rf"(?<!\w)(?=[{table.prefixes}])(?={follows})|" if table.prefixes else ""
    return re.compile(
        rf"(?P<but>{but})|(?:(?P<cause>{cause})|{ands})(?=\s*(?:{follows}))|{prefixed}{COMMAS}|:\s|\s-\s"
    )


def _any_of(words: Iterable[str], table: Language, *, ends_text: bool = False) -> re.Pattern[str]:
    plain_words = sorted({plain(word) for word in words}, key=len, reverse=True)
    if not plain_words:
        return NOTHING
    body = "|".join(
        re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"\s+") for word in plain_words
    )
    end = r"(?=[\s。．.!！？?…]*$)" if ends_text else ""
    if table.is_unspaced:
        return re.compile(f"(?:{body}){end}")
    prefix = f"[{table.prefixes}]?" if table.prefixes else ""
    # "l'" and "j'" have no space after them.
    return re.compile(rf"(?<!{_LETTER}){prefix}(?:{body})(?:(?<=')|(?!{_LETTER})){end}")
