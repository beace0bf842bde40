"""Sentences, words, stems and term weights of English text."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable

NO_TITLE = r"(?<!\b[DM]r\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bProf\.)(?<!\bSt\.)"  # "Dr. Adler"
SENTENCE_END = re.compile(rf"(?<=[.!?…؟]){NO_TITLE}[\"')\]]*\s+|(?<=[。！？])|\n+")
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
SUFFIXES = ("ies", "ing", "ed", "es", "s", "e", "y")
MIN_STEM_CHARS = 3


def split_sentences(text: str) -> list[str]:
    """Whole sentences and lines, stripped, without empty ones."""
    return [part.strip() for part in SENTENCE_END.split(text) if part.strip()]


def list_words(text: str) -> list[str]:
    """Lower-case words; an apostrophe within a word stays, as a straight one."""
    return [word.lower().replace("’", "'") for word in WORD.findall(text)]


# Stop words.
COMMON = frozenset(
    list_words(
        """
    a about actually again all also always am an and any anymore are aren't as at be because been
    before being but by can can't could did didn't do does doesn't doing don't each else ever
    every for from get give go going got had has have having he her here him his how however i
    i'd i'll i'm i've if in into is isn't it it's its just know let let's like may me mean might
    mine more most much must my need never no not now of off ok okay on once one only or other our
    out over own please put really remember said same say says she should so some still such sure
    tell than thank thanks that that's the their them then there these they thing things think
    this those to too up us use used very want was wasn't way we well were what what's when where
    which while who whom whose why will with won't would yes yet you you'd you'll you're your
    """
    )
)


def list_terms(text: str) -> list[str]:
    """The stems of all words but stop words, in order, with repetitions."""
    return [stem(word) for word in list_words(text) if word not in COMMON]


def stem(word: str) -> str:
    """`word` without one ending: `moved`, `moving` and `moves` get the same stem."""
    word = word.removesuffix("'s")
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= MIN_STEM_CHARS:
            return word.removesuffix(suffix)
    return word


def clip(text: str, limit: int) -> str:
    """At most `limit` characters in one line, cut between words."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    return (cut.rpartition(" ")[0] or cut).rstrip(",;:") + "…"


def slug(text: str, limit: int = 48) -> str:
    """snake_case of the words without stop words, or of all if there are only stop words."""
    words = list_words(text)
    content_words = [word for word in words if word not in COMMON] or words
    return "_".join(re.sub(r"[^a-z0-9]", "", word) for word in content_words)[:limit].strip("_")


class TermWeights:
    """The inverse document frequency of terms over a few texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        documents = [set(list_terms(text)) for text in texts]
        self._document_count = len(documents)
        self._counts = Counter(term for terms in documents for term in terms)

    def weigh(self, term: str) -> float:
        return math.log(1 + (self._document_count + 1) / (self._counts[term] + 0.5))

    def weigh_text(self, text: str) -> float:
        """The sum of the terms' weights, divided by a root of their number to limit length."""
        terms = set(list_terms(text))
        return sum(map(self.weigh, terms)) / math.sqrt(len(terms) + 1)
