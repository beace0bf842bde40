"""A summary by extraction: of each round, the sentence that says most on either side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shared.llm.offline.rarity import Rarity
from shared.llm.offline.reading import Said
from shared.llm.offline.words import clip, list_terms, split_sentences

MAX_SENTENCE_CHARS = 220
MIN_ANSWER_TERMS = 4  # shorter answers ("Noted.", "You're welcome!") say nothing new
SPEAKERS = {"user": "User", "assistant": "Assistant"}


def find_points(said: Sequence[Said]) -> list[dict[str, object]]:
    """One point a round, with the sequence numbers of its first and last message."""
    rarity = Rarity(message.text for message in said)
    points = []
    for messages in _split_rounds(said):
        text = " ".join(filter(None, (_say(message, rarity) for message in messages)))
        if text:
            points.append({"text": text, "first": messages[0].seq, "last": messages[-1].seq})
    return points


def best_sentence(text: str, rarity: Rarity) -> str:
    """The sentence that says most; statements before questions, of equals the first."""
    sentences = split_sentences(text)
    told = [sentence for sentence in sentences if not sentence.endswith("?")] or sentences
    return max(told, key=rarity.weigh_text, default="")


def _split_rounds(said: Sequence[Said]) -> Iterator[list[Said]]:
    """A round begins with a user's message."""
    current: list[Said] = []
    for message in said:
        if message.role == "user" and current:
            yield current
            current = []
        current.append(message)
    if current:
        yield current


def _say(message: Said, rarity: Rarity) -> str:
    sentence = clip(best_sentence(message.text, rarity), MAX_SENTENCE_CHARS)
    if message.role != "user" and len(list_terms(sentence)) < MIN_ANSWER_TERMS:
        return ""
    return f"{SPEAKERS.get(message.role, message.role)}: {sentence}" if sentence else ""
