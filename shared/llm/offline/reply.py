"""A reply from memory alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from shared.llm.offline.days import ASKS_WHEN
from shared.llm.offline.facts import find_in_message
from shared.llm.offline.matching import find_match
from shared.llm.offline.phrasing import escape_markdown, phrase, phrase_fact
from shared.llm.offline.reading import Known, Said
from shared.llm.offline.remembered import Remembered, read_memory
from shared.llm.offline.words import list_words, split_sentences

STAND_IN = "I am the built-in stand-in, not a language model: I only repeat what I remember."
NOTHING_FOUND = f"I find nothing about that in what I remember. {STAND_IN}"
NOTHING_KNOWN = f"I remember nothing about you yet. {STAND_IN}"
ASKS = re.compile(
    r"\?\s*$|^(?:(?:and|so|please|hey|hi|hello)\b[\s,]*)*"
    r"(?:who|what|when|where|which|why|how|do you|did i|am i|can you|could you"
    r"|remind me|tell me)\b",
    re.IGNORECASE,
)
ABOUT_ME = re.compile(r"\b(?:about|know|remember|of) me\b|\bwho am i\b", re.IGNORECASE)
JUST_SAID = re.compile(r"\b(?:just|last)\b.*\b(?:said?|say|ask(?:ed)?|told|tell)\b", re.IGNORECASE)
GREETS = re.compile(r"^(?:hi|hello|hey|good (?:morning|afternoon|evening))\b", re.IGNORECASE)
THANKS = re.compile(r"^(?:thanks|thank you|cheers)\b", re.IGNORECASE)
MAX_GREETING_WORDS = 4
MAX_FACTS_TOLD = 12
MAX_QUESTION_CHARS = 400


def write_reply(messages: Sequence[Mapping[str, str]]) -> str:
    """The reply to the last message: an answer, an acknowledgement, or a greeting."""
    said = messages[-1]["content"] if messages else ""
    memory = read_memory(messages)
    question = _last_question(said)
    if question:
        return _answer(question, memory, messages)
    if len(list_words(said)) <= MAX_GREETING_WORDS and THANKS.match(said):
        return "You're welcome!"
    if len(list_words(said)) <= MAX_GREETING_WORDS and GREETS.match(said):
        return f"{_greeting(memory)} {STAND_IN}"
    return _acknowledge(said, memory)


def _last_question(text: str) -> str:
    questions = [sentence for sentence in split_sentences(text) if ASKS.search(sentence)]
    return questions[-1][-MAX_QUESTION_CHARS:] if questions else ""


def _answer(question: str, memory: list[Remembered], messages: Sequence[Mapping[str, str]]) -> str:
    if ABOUT_ME.search(question):
        return _tell_facts(memory)
    if JUST_SAID.search(question):
        return _repeat(messages)
    match = find_match(question, memory)
    if match is None:
        return NOTHING_FOUND
    return phrase(match, asks_when=bool(ASKS_WHEN.search(question)))


def _tell_facts(memory: list[Remembered]) -> str:
    told = [phrase(item) for item in memory if item.kind == "fact"]
    told = told or [phrase(item) for item in memory]
    if not told:
        return NOTHING_KNOWN
    return "This is what I remember:\n\n" + "\n".join(f"- {line}" for line in told[:MAX_FACTS_TOLD])


def _repeat(messages: Sequence[Mapping[str, str]]) -> str:
    earlier = [m["content"] for m in messages[:-1] if m["role"] == "user"]
    if not earlier:
        return "This is the first thing you said here."
    return f"You said: “{escape_markdown(earlier[-1])}”"


def _greeting(memory: list[Remembered]) -> str:
    names = [item.text for item in memory if item.kind == "fact" and item.key == "name"]
    return f"Hello, {escape_markdown(names[0])}!" if names else "Hello!"


def _acknowledge(said: str, memory: list[Remembered]) -> str:
    known = [Known(category="", key=m.key, value=m.text) for m in memory if m.kind == "fact"]
    facts = find_in_message(Said(seq=0, role="user", at="", text=said), known)
    understood = [phrase_fact(fact.key, fact.value) for fact in facts if not fact.retracts]
    if understood:
        return f"Noted. {' '.join(understood)}"
    gone = [fact.key.replace("_", " ") for fact in facts]
    if gone:
        return f"Noted: that no longer holds ({escape_markdown(', '.join(gone))})."
    return "Noted."
