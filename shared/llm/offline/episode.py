"""An episode by extraction: the sentences that say most, and the words they turn on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shared.llm.offline.rarity import Rarity
from shared.llm.offline.reading import Said
from shared.llm.offline.summary import best_sentence
from shared.llm.offline.words import COMMON, WORD, clip, list_terms, stem

MAX_SENTENCES = 5
MAX_SENTENCE_CHARS = 220
MAX_CONCEPTS = 8
MIN_CONCEPT_CHARS = 3
# Endings of words that seldom name a thing.
NOT_NOUNS = ("ly", "ing", "ed")


def tell_episode(said: Sequence[Said]) -> dict[str, object]:
    """The episode prompt's JSON."""
    rarity = Rarity(message.text for message in said)
    users = [message for message in said if message.role == "user"] or list(said)
    told = list(dict.fromkeys(best_sentence(message.text, rarity) for message in users))
    best = sorted(told, key=rarity.weigh_text, reverse=True)[:MAX_SENTENCES]
    summary = " ".join(clip(sentence, MAX_SENTENCE_CHARS) for sentence in told if sentence in best)
    return {
        "summary": summary or "Nothing was said.",
        "key_concepts": find_concepts([message.text for message in users]),
    }


def find_concepts(texts: Sequence[str]) -> list[str]:
    """Up to eight words that name things, the weightiest first, as they were first written."""
    rarity = Rarity(texts)
    counts = Counter(term for text in texts for term in list_terms(text))
    written: dict[str, str] = {}
    for word in WORD.findall(" ".join(texts)):
        if _may_be_noun(word.lower()):
            written.setdefault(stem(word.lower()), word)
    ranked = sorted(written, key=lambda term: counts[term] * rarity.weigh(term), reverse=True)
    return [written[term] for term in ranked[:MAX_CONCEPTS]]


def _may_be_noun(word: str) -> bool:
    return (
        len(word) >= MIN_CONCEPT_CHARS
        and word not in COMMON
        and not word.isdigit()
        and not word.endswith(NOT_NOUNS)
    )
