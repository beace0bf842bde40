"""A summary by extraction: of each round, the sentence that says most on either side."""

from __future__ import annotations

from collections.abc import Sequence

from shared.offline.reading import Said
from shared.offline.words import Rarity, clip, list_terms, split_sentences

MAX_POINTS = 40  # of a longer conversation, one point for several rounds
MAX_SENTENCE_CHARS = 220
MIN_ANSWER_TERMS = 4  # shorter answers ("Noted.", "You're welcome!") say nothing new
SPEAKERS = {"user": "User", "assistant": "Assistant"}


def find_points(said: Sequence[Said]) -> list[dict[str, object]]:
    """One point a round, with the sequence numbers of its first and last message."""
    if not said:
        return []
    rarity = Rarity(message.text for message in said)
    begins = [place for place, one in enumerate(said) if one.role == "user" or not place]
    begins = begins[:: -(-len(begins) // MAX_POINTS)]
    points = []
    for begin, end in zip(begins, [*begins[1:], len(said)], strict=True):
        text = " ".join(filter(None, (_say(role, said[begin:end], rarity) for role in SPEAKERS)))
        if text:
            points.append({"text": text, "first": said[begin].seq, "last": said[end - 1].seq})
    return points


def best_sentence(text: str, rarity: Rarity) -> str:
    """The sentence that says most; statements before questions, of equals the first."""
    sentences = split_sentences(text)
    told = [sentence for sentence in sentences if not sentence.endswith(("?", "？"))] or sentences
    return max(told, key=rarity.weigh_text, default="")


def _say(role: str, said: Sequence[Said], rarity: Rarity) -> str:
    text = "\n".join(message.text for message in said if message.role == role)
    sentence = clip(best_sentence(text, rarity), MAX_SENTENCE_CHARS)
    if role != "user" and len(list_terms(sentence)) < MIN_ANSWER_TERMS:
        return ""
    return f"{SPEAKERS[role]}: {sentence}" if sentence else ""
