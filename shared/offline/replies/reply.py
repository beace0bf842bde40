"""A reply from memory alone: what was noted of a message, and what it asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.offline import texts
from shared.offline.facts.statements import find_in_message
from shared.offline.grammar import word
from shared.offline.phrasing import escape_markdown, phrase_fact
from shared.offline.reading import Known, Remembered, Said, read_memory
from shared.offline.replies.answers import answer_question
from shared.offline.words import list_words, split_sentences
from shared.policy.facts.small_talk import says_nothing

LEAST_CONFIDENCE = 0.4  # of a fact that is kept, as FACT_MIN_CONFIDENCE has it
FENCE = "```"
MAX_SMALL_TALK_WORDS = 6
MAX_QUESTION_CHARS = 400
MAX_PARTS = 20  # of a long message, the last
MAX_ANSWERS = 3


def write_reply(messages: Sequence[Mapping[str, str]]) -> str:
    said = messages[-1]["content"] if messages else ""
    memory = read_memory(messages)
    told = [_note(said, memory), *_answer_all(said, memory, messages)]
    return "\n\n".join(filter(None, told)) or _small_talk(said, memory)


def _note(said: str, memory: Sequence[Remembered]) -> str:
    """What the facts job will find in it, told beforehand; "" where that is nothing."""
    known = [Known(category="", key=m.key, value=m.text) for m in memory if m.kind == "fact"]
    found = find_in_message(Said(seq=0, role="user", at="", text=said), known)
    facts = [fact for fact in found if fact.confidence >= LEAST_CONFIDENCE]
    understood = [phrase_fact(fact.key, fact.value) for fact in facts if not fact.retracts]
    if understood:
        return f"Noted. {' '.join(understood)}"
    gone = [fact.key.replace("_", " ") for fact in facts]
    return f"Noted: that no longer holds ({escape_markdown(', '.join(gone))})." if gone else ""


def _answer_all(
    said: str, memory: Sequence[Remembered], messages: Sequence[Mapping[str, str]]
) -> list[str]:
    """An answer to each of the last few questions, the same one once."""
    if FENCE in said:
        return [texts.NEEDS_MODEL]
    parts = [part for one in split_sentences(said) for part in word("SECOND").split(one)]
    asked = [part[-MAX_QUESTION_CHARS:] for part in parts[-MAX_PARTS:]]
    answers = dict.fromkeys(answer_question(part, memory, messages) for part in asked)
    return [answer for answer in answers if answer][-MAX_ANSWERS:]


def _small_talk(said: str, memory: Sequence[Remembered]) -> str:
    """To what neither asks nor tells anything that is understood."""
    if len(list_words(said)) <= MAX_SMALL_TALK_WORDS:
        if word("THANKS").match(said):
            return texts.WELCOME
        if word("FAREWELL").match(said):
            return texts.GOODBYE
        if word("GREETING").match(said):
            names = [m.text for m in memory if m.kind == "fact" and m.key == "name"]
            hello = f"Hello, {escape_markdown(names[0])}!" if names else "Hello!"
            return f"{hello} {texts.STAND_IN} {texts.ASK_ME}"
    return texts.ALL_RIGHT if says_nothing(said) else texts.NOTHING_LEARNED
