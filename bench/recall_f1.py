"""Token F1 as LoCoMo's evaluation has it. Stems are Postgres's (Porter 2), not NLTK's (Porter)."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import fmean

from bench.recall_locomo import ADVERSARIAL

ARTICLES = re.compile(r"\b(a|an|the|and)\b")
REFUSALS = ("no information available", "not mentioned")
NO_PUNCTUATION = str.maketrans("", "", string.punctuation)

Stem = Callable[[Sequence[str]], list[str]]


def score(kind: str, answer: str, gold: str, stem: Stem) -> float:
    """0..1. Of several wanted answers (multi-hop) each counts by the best part that was given."""
    if kind == ADVERSARIAL:
        return float(any(words in answer.lower() for words in REFUSALS))
    if kind == "multi-hop":
        parts = [stem(tokens_of(part)) for part in answer.split(",")]
        gold_parts = [stem(tokens_of(part)) for part in gold.split(",")]
        return fmean(max(f1(part, gold_part) for part in parts) for gold_part in gold_parts)
    if kind == "open-domain":
        gold = gold.split(";", maxsplit=1)[0]
    return f1(stem(tokens_of(answer)), stem(tokens_of(gold)))


def tokens_of(text: str) -> list[str]:
    return ARTICLES.sub(" ", text.lower().translate(NO_PUNCTUATION)).split()


def f1(answer: Sequence[str], gold: Sequence[str]) -> float:
    common = (Counter(answer) & Counter(gold)).total()
    if common == 0:
        return 0.0
    precision, recall = common / len(answer), common / len(gold)
    return 2 * precision * recall / (precision + recall)
