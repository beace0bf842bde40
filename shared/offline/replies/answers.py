"""Answer one question, from memory or with a canned sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from shared.offline.facts.known_facts import TASTES
from shared.offline.grammar import PATTERNS, regex
from shared.offline.prompt_parser import MemoryItem, read_context, system_text
from shared.offline.replies import canned
from shared.offline.replies.matching import find_matches
from shared.offline.replies.phrasing import escape_markdown, phrase
from shared.offline.replies.relative_dates import ASKS_WHEN

NOW = re.compile(r"^(?:Now it|Today) is .+?\.$", re.MULTILINE)
DISLIKES = ("hate", "dislike")
MAX_FACTS_TOLD = 12


def answer_question(
    sentence: str, memory: Sequence[MemoryItem], messages: Sequence[Mapping[str, str]]
) -> str:
    """The answer; "" if `sentence` is no question or request."""
    clock = f"{read_context(messages)}\n{system_text(messages)}"
    if regex("WHAT_TIME").search(sentence) and (now := NOW.search(clock)):
        return now[0]
    kind = classify_request(sentence)
    if kind == "memory":
        return _answer_from_memory(sentence, memory, messages)
    if kind == "knowledge":
        return _tell_matches(sentence, memory, is_knowledge=True) or canned.UNKNOWN
    return canned.BY_REQUEST.get(kind, "")


def classify_request(sentence: str) -> str:
    """The kind of request, as `grammar.txt` names it. Empty for a statement, or an unknown kind."""
    bare = regex("OPENING").sub("", sentence.strip())
    request = regex("POLITE").sub("", bare)
    # Without "can you", "can you swim?" is no question any more.
    question = request if regex("ASKED").match(request) else bare
    for text, patterns in ((request, PATTERNS["requests"]), (question, PATTERNS["questions"])):
        for pattern in patterns:
            if pattern.regex.match(text):
                return pattern.fields[0]
    return ""


def _answer_from_memory(
    question: str, memory: Sequence[MemoryItem], messages: Sequence[Mapping[str, str]]
) -> str:
    if regex("ABOUT_ME").search(question):
        return _tell_facts(memory)
    if regex("JUST_SAID").search(question):
        return _repeat_last_message(messages)
    answer = _tell_tastes(question, memory) or _tell_matches(question, memory, is_knowledge=False)
    return answer or canned.NOTHING_FOUND


def _tell_matches(question: str, memory: Sequence[MemoryItem], *, is_knowledge: bool) -> str:
    matches = find_matches(question, memory, is_knowledge=is_knowledge)
    asks_when = bool(ASKS_WHEN.search(question))
    return " ".join(phrase(match, asks_when=asks_when) for match in matches)


def _tell_tastes(question: str, memory: Sequence[MemoryItem]) -> str:
    """All likes, or all dislikes, for "What do I like?"; "" for any other question."""
    taste = regex("WHAT_TASTE").search(question)
    if not taste:
        return ""
    asks_dislikes = bool(taste["not"]) or taste["verb"].lower() in DISLIKES
    verbs = [verb for verb, plain in TASTES.items() if (plain in DISLIKES) == asks_dislikes]
    tastes = [item for item in memory if item.kind == "fact" and item.text.split(" ")[0] in verbs]
    return " ".join(map(phrase, tastes[:MAX_FACTS_TOLD]))


def _tell_facts(memory: Sequence[MemoryItem]) -> str:
    facts = [item for item in memory if item.kind == "fact"] or memory
    lines = "\n".join(f"- {phrase(item)}" for item in facts[:MAX_FACTS_TOLD])
    return f"This is what I remember:\n\n{lines}" if lines else canned.NOTHING_KNOWN


def _repeat_last_message(messages: Sequence[Mapping[str, str]]) -> str:
    earlier = [m["content"] for m in messages[:-1] if m["role"] == "user"]
    return f"You said: “{escape_markdown(earlier[-1])}”" if earlier else canned.FIRST_WORDS
