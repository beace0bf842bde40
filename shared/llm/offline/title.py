"""A title: how the conversation began, made short."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shared.llm.offline.reading import Said
from shared.llm.offline.words import split_sentences

GREETING = re.compile(
    r"^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there)?\b[\s,!.]*)+", re.I
)
MAX_WORDS = 7
MAX_CHARS = 60
# With these no title ends: the sentence was cut in the middle of a thought.
DANGLING = re.compile(r"an?|and|at|but|by|for|from|in|into|of|on|or|that|the|to|with", re.I)
UNTITLED = "New conversation"


def find_title(said: Sequence[Said]) -> str:
    for message in said:
        title = _shorten(message.text) if message.role == "user" else ""
        if title:
            return title
    return UNTITLED


def _shorten(text: str) -> str:
    sentences = split_sentences(GREETING.sub("", text.strip()))
    words = sentences[0].split() if sentences else []
    title = " ".join(_cut(words))[:MAX_CHARS].rstrip(".,;:! ")
    return title[:1].upper() + title[1:]


def _cut(words: Sequence[str]) -> Sequence[str]:
    kept = words[:MAX_WORDS]
    while len(kept) < len(words) and len(kept) > 1 and DANGLING.fullmatch(kept[-1]):
        kept = kept[:-1]
    return kept
