"""Extract an episode: the most informative sentences, and the words that name its topics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shared.offline.english_text import COMMON, WORD, TermWeights, clip, stem
from shared.offline.prompt_parser import Utterance
from shared.offline.summary import MAX_SENTENCE_CHARS, best_sentence

MAX_SENTENCES = 5
MAX_CONCEPTS = 8
CONCEPT_CHARS = range(3, 41)
NOT_NOUNS = ("ly", "ing", "ed")  # endings of words that seldom name a thing


def write_episode(messages: Sequence[Utterance]) -> dict[str, object]:
    """The JSON that the episode prompt asks for."""
    weights = TermWeights(message.text for message in messages)
    texts = [message.text for message in messages if message.role == "user"]
    texts = texts or [message.text for message in messages]
    sentences = list(dict.fromkeys(best_sentence(text, weights) for text in texts))
    best = sorted(sentences, key=weights.weigh_text, reverse=True)[:MAX_SENTENCES]
    summary = " ".join(
        clip(sentence, MAX_SENTENCE_CHARS) for sentence in sentences if sentence in best
    )
    return {"summary": summary or "Nothing was said.", "key_concepts": find_concepts(texts)}


def find_concepts(texts: Sequence[str]) -> list[str]:
    """Up to eight likely nouns, the highest weight first, in their first spelling."""
    weights = TermWeights(texts)
    words = [word for text in texts for word in WORD.findall(text) if _may_be_noun(word.lower())]
    counts = Counter(stem(word.lower()) for word in words)
    spellings = {stem(word.lower()): word for word in reversed(words)}
    ranked = sorted(counts, key=lambda term: counts[term] * weights.weigh(term), reverse=True)
    return [spellings[term] for term in ranked[:MAX_CONCEPTS]]


def _may_be_noun(word: str) -> bool:
    has_size = len(word) in CONCEPT_CHARS and not word.isdigit()
    return has_size and word not in COMMON and not word.endswith(NOT_NOUNS)
