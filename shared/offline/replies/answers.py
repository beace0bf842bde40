"""What is answered to one question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from shared.offline import texts
from shared.offline.days import ASKS_WHEN
from shared.offline.grammar import FORMS, word
from shared.offline.phrasing import TASTES, escape_markdown, phrase
from shared.offline.reading import Remembered, system_text
from shared.offline.replies.matching import find_matches

NOW = re.compile(r"^Now it is (.+?)\.?$", re.MULTILINE)
DISLIKES = ("hate", "dislike")
MAX_FACTS_TOLD = 12


def answer_question(
    asked: str, memory: Sequence[Remembered], messages: Sequence[Mapping[str, str]]
) -> str:
    """ "" where it asks for nothing."""
    if word("WHAT_TIME").search(asked) and (now := NOW.search(system_text(messages))):
        return f"Now it is {now[1]}."
    wish = read_wish(asked)
    if wish == "memory":
        return _answer_from_memory(asked, memory, messages)
    if wish == "knowledge":
        return _tell_matches(asked, memory, is_knowledge=True) or texts.UNKNOWN
    return texts.BY_WISH.get(wish, "")


def read_wish(asked: str) -> str:
    """As the table names it; "" for a statement."""
    bare = word("OPENING").sub("", asked.strip())
    wish = word("POLITE").sub("", bare)
    question = (
        wish if word("ASKED").match(wish) else bare
    )  # "can you swim?" is no question without "you"
    for text, forms in ((wish, FORMS["wishes"]), (question, FORMS["questions"])):
        for form in forms:
            if form.says.match(text):
                return form.heads[0]
    return ""


def _answer_from_memory(
    asked: str, memory: Sequence[Remembered], messages: Sequence[Mapping[str, str]]
) -> str:
    if word("ABOUT_ME").search(asked):
        return _tell_facts(memory)
    if word("JUST_SAID").search(asked):
        return _repeat(messages)
    told = _tell_tastes(asked, memory) or _tell_matches(asked, memory, is_knowledge=False)
    return told or texts.NOTHING_FOUND


def _tell_matches(asked: str, memory: Sequence[Remembered], *, is_knowledge: bool) -> str:
    matches = find_matches(asked, memory, is_knowledge=is_knowledge)
    asks_when = bool(ASKS_WHEN.search(asked))
    return " ".join(phrase(match, asks_when=asks_when) for match in matches)


def _tell_tastes(asked: str, memory: Sequence[Remembered]) -> str:
    """All of them, to "What do I like?"; "" where it is no such question."""
    taste = word("WHAT_TASTE").search(asked)
    if not taste:
        return ""
    dislikes = bool(taste["not"]) or taste["verb"].lower() in DISLIKES
    verbs = [verb for verb, plain in TASTES.items() if (plain in DISLIKES) is dislikes]
    told = [m for m in memory if m.kind == "fact" and m.text.split(" ")[0] in verbs]
    return " ".join(map(phrase, told[:MAX_FACTS_TOLD]))


def _tell_facts(memory: Sequence[Remembered]) -> str:
    told = [item for item in memory if item.kind == "fact"] or memory
    lines = "\n".join(f"- {phrase(item)}" for item in told[:MAX_FACTS_TOLD])
    return f"This is what I remember:\n\n{lines}" if lines else texts.NOTHING_KNOWN


def _repeat(messages: Sequence[Mapping[str, str]]) -> str:
    earlier = [m["content"] for m in messages[:-1] if m["role"] == "user"]
    return f"You said: “{escape_markdown(earlier[-1])}”" if earlier else texts.FIRST_WORDS
