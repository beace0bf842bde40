"""Reply to a message: the facts that were noted from it, and answers to its questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.offline.facts.statements import find_in_message
from shared.offline.grammar import regex
from shared.offline.prompt_parser import (
    KnownFact,
    MemoryItem,
    Utterance,
    read_memory,
    without_files,
)
from shared.offline.replies import canned
from shared.offline.replies.answers import answer_question
from shared.offline.replies.phrasing import escape_markdown, phrase_fact
from shared.offline.words import list_words, split_sentences
from shared.policy.facts.small_talk import is_small_talk

LEAST_CONFIDENCE = 0.4  # the default of FACT_MIN_CONFIDENCE
FENCE = "```"
MAX_SMALL_TALK_WORDS = 6
MAX_QUESTION_CHARS = 400
MAX_PARTS = 20  # of a longer message only the last ones are read
MAX_ANSWERS = 3


def write_reply(messages: Sequence[Mapping[str, str]]) -> str:
    said = without_files(messages[-1]["content"]) if messages else ""
    memory = read_memory(messages)
    told = [_note(said, memory), *_answer_all(said, memory, messages)]
    return "\n\n".join(filter(None, told)) or _small_talk(said, memory)


def _note(said: str, memory: Sequence[MemoryItem]) -> str:
    """A sentence on the facts that the facts job will find in the message; "" without any."""
    known = [KnownFact(category="", key=m.key, value=m.text) for m in memory if m.kind == "fact"]
    found = find_in_message(Utterance(seq=0, role="user", at="", text=said), known)
    facts = [fact for fact in found if fact.confidence >= LEAST_CONFIDENCE]
    understood = [phrase_fact(fact.key, fact.value) for fact in facts if not fact.retracts]
    if understood:
        return f"Noted. {' '.join(understood)}"
    gone = [fact.key.replace("_", " ") for fact in facts]
    return f"Noted: that no longer holds ({escape_markdown(', '.join(gone))})." if gone else ""


def _answer_all(
    said: str, memory: Sequence[MemoryItem], messages: Sequence[Mapping[str, str]]
) -> list[str]:
    """Different answers to the message's last questions."""
    if FENCE in said:
        return [canned.NEEDS_MODEL]
    parts = [part for one in split_sentences(said) for part in regex("SECOND").split(one)]
    asked = [part[-MAX_QUESTION_CHARS:] for part in parts[-MAX_PARTS:]]
    answers = dict.fromkeys(answer_question(part, memory, messages) for part in asked)
    return [answer for answer in answers if answer][-MAX_ANSWERS:]


def _small_talk(said: str, memory: Sequence[MemoryItem]) -> str:
    """The reply to a message without a question and without a known kind of fact."""
    if len(list_words(said)) <= MAX_SMALL_TALK_WORDS:
        if regex("THANKS").match(said):
            return canned.WELCOME
        if regex("FAREWELL").match(said):
            return canned.GOODBYE
        if regex("GREETING").match(said):
            names = [m.text for m in memory if m.kind == "fact" and m.key == "name"]
            hello = f"Hello, {escape_markdown(names[0])}!" if names else "Hello!"
            return f"{hello} {canned.STAND_IN} {canned.ASK_ME}"
    return canned.ALL_RIGHT if is_small_talk(said) else canned.NOTHING_LEARNED
