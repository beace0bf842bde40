"""An episode by extraction: the sentences that say most, and the words they turn on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shared.offline.reading import Said
from shared.offline.summary import MAX_SENTENCE_CHARS, best_sentence
from shared.offline.words import COMMON, WORD, Rarity, clip, stem

MAX_SENTENCES = 5
MAX_CONCEPTS = 8
CONCEPT_CHARS = range(3, 41)
# Endings of words that seldom name a thing.
NOT_NOUNS = ("ly", "ing", "ed")


def tell_episode(said: Sequence[Said]) -> dict[str, object]:
    """The episode prompt's JSON."""
    rarity = Rarity(message.text for message in said)
    texts = [message.text for message in said if message.role == "user"]
    texts = texts or [message.text for message in said]
    told = list(dict.fromkeys(best_sentence(text, rarity) for text in texts))
    best = sorted(told, key=rarity.weigh_text, reverse=True)[:MAX_SENTENCES]
    summary = " ".join(clip(sentence, MAX_SENTENCE_CHARS) for sentence in told if sentence in best)
    return {"summary": summary or "Nothing was said.", "key_concepts": find_concepts(texts)}


def find_concepts(texts: Sequence[str]) -> list[str]:
    """Up to eight words that name things, the weightiest first, as they were first written."""
    rarity = Rarity(texts)
    words = [word for text in texts for word in WORD.findall(text) if _may_be_noun(word.lower())]
    counts = Counter(stem(word.lower()) for word in words)
    written = {stem(word.lower()): word for word in reversed(words)}
    ranked = sorted(counts, key=lambda term: counts[term] * rarity.weigh(term), reverse=True)
    return [written[term] for term in ranked[:MAX_CONCEPTS]]


def _may_be_noun(word: str) -> bool:
    is_word = len(word) in CONCEPT_CHARS and not word.isdigit()
    return is_word and word not in COMMON and not word.endswith(NOT_NOUNS)
