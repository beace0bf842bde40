"""Reply to a message: the facts that were noted from it, and answers to its questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import cast

from shared.models import Heard
from shared.offline.english_text import list_words, split_sentences
from shared.offline.facts.plain_facts import find_in_message
from shared.offline.grammar import regex
from shared.offline.prompt_parser import (
    KnownFact,
    MemoryItem,
    Utterance,
    own_words,
    read_memory,
)
from shared.offline.replies import canned
from shared.offline.replies.answers import answer_question
from shared.offline.replies.phrasing import escape_markdown, phrase_fact
from shared.policy.facts.batch import MAX_MESSAGE_CHARS
from shared.policy.facts.proposals import Claimed, LabeledProposal
from shared.policy.facts.screen import screen
from shared.policy.facts.small_talk import is_small_talk
from shared.policy.facts.wishes import forget_requests, unwanted_parts

# The stand-in tells no dates by the day of a message. Earlier days must exist.
NO_TIME = datetime(1000, 1, 1, tzinfo=UTC)
FENCE = "```"
MAX_SMALL_TALK_WORDS = 6
MAX_QUESTION_CHARS = 400
MAX_PARTS = 20  # of a longer message only the last ones are read
MAX_ANSWERS = 3


def write_reply(messages: Sequence[Mapping[str, str]]) -> str:
    text = own_words(messages[-1]["content"]) if messages else ""
    memory = read_memory(messages)
    noted = _note(text[:MAX_MESSAGE_CHARS], memory)
    if unwanted_parts(text[:MAX_MESSAGE_CHARS]):
        is_request = bool(forget_requests(text[:MAX_MESSAGE_CHARS]))
        return noted or (canned.FORGOTTEN_WORDS if is_request else canned.NOT_REMEMBERED)
    paragraphs = [noted, *_answer_all(text, memory, messages)]
    return "\n\n".join(filter(None, paragraphs)) or _small_talk(text, memory)


def _note(text: str, memory: Sequence[MemoryItem]) -> str:
    """A sentence on the facts that the facts job will learn from the message; "" without any."""
    known = [
        KnownFact(category=item.category, key=item.key, value=item.text)
        for item in memory
        if item.kind == "fact"
    ]
    candidates = find_in_message(Utterance(seq=0, role="user", at="", text=text), known)
    heard = Heard(sequence_number=0, role="user", content=text, created_at=NO_TIME, turn=0)
    # Both come from the grammar, which knows these categories alone.
    proposed, record = cast("list[LabeledProposal]", candidates), cast("list[Claimed]", known)
    facts = screen(proposed, [heard], record, is_trusted=True).stated
    understood = [phrase_fact(fact.key, fact.value) for fact in facts if not fact.retracts]
    if understood:
        return f"Noted. {' '.join(understood)}"
    gone = escape_markdown(", ".join(fact.key.replace("_", " ") for fact in facts))
    if gone and unwanted_parts(text):
        return canned.FORGOTTEN.format(keys=gone)
    return f"Noted: that no longer holds ({gone})." if gone else ""


def _answer_all(
    text: str, memory: Sequence[MemoryItem], messages: Sequence[Mapping[str, str]]
) -> list[str]:
    """Different answers to the message's last questions."""
    if FENCE in text:
        return [canned.NEEDS_MODEL]
    parts = [part for sentence in split_sentences(text) for part in regex("SECOND").split(sentence)]
    questions = [part[-MAX_QUESTION_CHARS:] for part in parts[-MAX_PARTS:]]
    answers = dict.fromkeys(answer_question(part, memory, messages) for part in questions)
    return [answer for answer in answers if answer][-MAX_ANSWERS:]


def _small_talk(text: str, memory: Sequence[MemoryItem]) -> str:
    """The reply to a message without a question and without a known kind of fact."""
    if len(list_words(text)) <= MAX_SMALL_TALK_WORDS:
        if regex("THANKS").match(text):
            return canned.WELCOME
        if regex("FAREWELL").match(text):
            return canned.GOODBYE
        if regex("GREETING").match(text):
            names = [m.text for m in memory if m.kind == "fact" and m.key == "name"]
            hello = f"Hello, {escape_markdown(names[0])}!" if names else "Hello!"
            return f"{hello} {canned.STAND_IN} {canned.ASK_ME}"
    return canned.ALL_RIGHT if is_small_talk(text) else canned.NOTHING_LEARNED
