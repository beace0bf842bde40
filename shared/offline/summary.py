"""Extract a summary: the most informative sentence of each side of a round."""

from __future__ import annotations

import math
from collections.abc import Sequence

from shared.offline.english_text import TermWeights, clip, list_terms, split_sentences
from shared.offline.prompt_parser import Utterance

MAX_POINTS = 40  # in a longer conversation one point covers several rounds
MAX_SENTENCE_CHARS = 220
MIN_ANSWER_TERMS = 4  # shorter answers ("Noted.", "You're welcome!") say nothing new
SPEAKERS = {"user": "User", "assistant": "Assistant"}


def write_points(messages: Sequence[Utterance]) -> list[dict[str, object]]:
    """One point for each round, with the sequence numbers of its first and last message."""
    if not messages:
        return []
    weights = TermWeights(message.text for message in messages)
    begins = [
        index for index, message in enumerate(messages) if message.role == "user" or index == 0
    ]
    begins = begins[:: math.ceil(len(begins) / MAX_POINTS)]
    points = []
    for begin, end in zip(begins, [*begins[1:], len(messages)], strict=True):
        text = " ".join(
            filter(None, (_point_text(role, messages[begin:end], weights) for role in SPEAKERS))
        )
        if text:
            points.append(
                {"text": text, "first": messages[begin].seq, "last": messages[end - 1].seq}
            )
    return points


def best_sentence(text: str, weights: TermWeights) -> str:
    """The first sentence of the highest weight. Questions count only if all are questions."""
    sentences = split_sentences(text)
    statements = [sentence for sentence in sentences if not sentence.endswith(("?", "？", "؟"))]
    return max(statements or sentences, key=weights.weigh_text, default="")


def _point_text(role: str, messages: Sequence[Utterance], weights: TermWeights) -> str:
    text = "\n".join(message.text for message in messages if message.role == role)
    sentence = clip(best_sentence(text, weights), MAX_SENTENCE_CHARS)
    if role != "user" and len(list_terms(sentence)) < MIN_ANSWER_TERMS:
        return ""
    return f"{SPEAKERS[role]}: {sentence}" if sentence else ""
