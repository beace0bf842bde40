"""Whatever reads what people and models write takes work in proportion to its length.

Counted in this thread's own processor time, eight times the text against once: work that grows
with the square of the length takes 64 times as long. A long run compares longer texts.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from datetime import date

import pytest

from shared.llm.json_extraction import find_objects, find_truncated_objects
from shared.models import Speaker
from shared.offline.answer import write_answer
from shared.offline.episode import write_episode
from shared.offline.facts.plain_facts import find_facts
from shared.offline.prompt_parser import KnownFact, Utterance
from shared.offline.summary import write_points
from shared.offline.title import write_title
from shared.policy.attachments.allowance import Allowance
from shared.policy.attachments.excerpts import fit_text
from shared.policy.attachments.places import split_places
from shared.policy.continuation import Continuation
from shared.policy.facts.first_person import in_first_person
from shared.policy.facts.grounding.indexed_text import IndexedText
from shared.policy.facts.memory_lists import cut_list
from shared.policy.facts.own_text import own_text
from shared.policy.facts.plain_sentences import reads_alike
from shared.policy.facts.refusals import is_refused
from shared.policy.facts.secret_patterns import read_patterns
from shared.policy.facts.secrets import hide_secrets, is_secret, tells_secret
from shared.policy.facts.slots import normalize_key
from shared.policy.facts.small_talk import is_small_talk
from shared.policy.facts.values import plain_value
from shared.policy.facts.wishes import forget_requests, unwanted_parts
from shared.policy.html_text import read_html
from shared.policy.provider_messages import find_message as find_provider_message
from shared.policy.provider_messages import means_too_long, redact
from shared.policy.quoting import reads_like_role
from shared.policy.ranking.spelling import list_correctable
from shared.policy.reasoning import without_reasoning
from shared.policy.snippets import cut_around
from shared.policy.titles import read_title
from shared.policy.wording import find_words
from shared.user_data.imports.formats.chatgpt import resolve_citations
from tests.asking import read
from tests.budgets import IS_LONG
from tests.unit.policy.facts.screening import Proposal

# Work that is not in proportion shows less in a shorter text.
SHORT, TIMES, MOST_TIMES = (1_250, 16, 80) if IS_LONG else (500, 8, 48)
NUMBERS = itertools.count(1000)
NEGLIGIBLE_S = 0.02 if IS_LONG else 0.005  # of the longer text: too little to be measured

DAY = date(2026, 1, 1)
CLAIM = Proposal(key="home_city", value="Rome")
KNOWN = [KnownFact(category="identity", key="name", value="Bo")]


def make_utterances(text: str) -> list[Utterance]:
    return [Utterance(seq=0, role="user", at="", text=text)]


def turns(*texts: str) -> list[dict[str, str]]:
    roles = ("user", "assistant", "user")
    return [
        {"role": role, "content": text}
        for role, text in zip(roles[-len(texts) :], texts, strict=True)
    ]


OWN_SECRETS = read_patterns("Secrets: *-a1, a*a9, ##-*-*-??z, a a, *aa, ?????????99")
READERS: dict[str, Callable[[str], object]] = {
    "a reply": lambda text: write_answer(turns(text)),
    "a reply to an earlier turn": lambda text: write_answer(turns(text, "Yes.", "Who am I?")),
    "facts": lambda text: find_facts(make_utterances(text), KNOWN),
    "a summary": lambda text: write_points(make_utterances(text)),
    "an episode": lambda text: write_episode(make_utterances(text)),
    "a title": lambda text: write_title(make_utterances(text)),
    "a question": lambda text: read(text, "Bo", speakers=[Speaker(name="Ann", role="user")]),
    "spelling": list_correctable,
    "words": find_words,
    "small talk": is_small_talk,
    "a fact's key": normalize_key,
    "a fact's value": plain_value,
    "own words": own_text,
    "a plain sentence": lambda text: reads_alike(CLAIM, text),
    "what is not wanted": unwanted_parts,
    "what is to be forgotten": forget_requests,
    "a secret": lambda text: is_secret("key", "4921", text),
    "a secret's value": lambda text: is_secret("password", text, "My password."),
    "a sentence with a secret": tells_secret,
    "hidden secrets": hide_secrets,
    "an operator's secrets": lambda text: hide_secrets(text, OWN_SECRETS),
    "a part of an operator's secret": lambda text: is_secret("key", "a-1", text, OWN_SECRETS),
    "a pasted list": cut_list,
    "a sentence about the user": lambda text: in_first_person(text, ["Bo", text]),
    "numbers": lambda text: IndexedText(text, DAY).numbers,
    "a thought": without_reasoning,
    "a refusal of a fact": lambda text: is_refused("identity", text, text),
    "a snippet": lambda text: cut_around(text, ["name", "a"]),
    "a speaker's name": reads_like_role,
    "a model's title": read_title,
    "a model's objects": lambda text: list(find_objects(text)),
    "a model's broken objects": lambda text: list(find_truncated_objects(text)),
    "a continuation": lambda text: Continuation(text).take(text[1:]),
    "a provider's words": find_provider_message,
    "a provider's secrets": lambda text: redact(text, []),
    "a prompt too long": means_too_long,
    "a page": lambda text: read_html(text, Allowance()),
    "places in a file": lambda text: list(split_places(text)),
    "an extract of a file": lambda text: fit_text(text, "name a", 200, len),
    "citations": lambda text: resolve_citations(f"【{text}\ue200{text}", {}),
}
PIECES = (
    "a", "a ", "  1", "1 ", "\n", "'", "a'", "_", "a-", "a.", "?", "東", "é", ", ", ";  ", "    ",
    "My ", "my a is ", "i moved from a to ", "we have a with an ", "where ", "i ", "not ", "a and ",
    "before i ", "1 of ", "in may ", "Mr. ", "a@b.", "http://", "```\n", "*", "<", "&amp;", "(",
    "{", '{"a":', '{"a":[', '{"a":"b",', "[", "\\", "token ", "Error: ", "//", "\u200b", "ﷺ",
    "Ann's ", "†", "<a ", "<b x='", "<!--", "<![", "- a\n", "- a. ", "**", "[1", "is ", "password ",
    "\f", "\f## ", "\f## Page 1\n",
    "as a friend ", "who lives ", "since i ", "pin ", "-----BEGIN PRIVATE KEY", "11-a-", "a-",
)  # fmt: skip


@pytest.mark.parametrize("what", READERS)
def test_hostile_texts_cost_no_more_than_their_length(what: str) -> None:
    read = READERS[what]
    suspects = [piece for piece in PIECES if count_times(read, piece, measurements=1) > MOST_TIMES]
    times = {piece: round(count_times(read, piece, measurements=3)) for piece in suspects}
    assert {piece: count for piece, count in times.items() if count > MOST_TIMES} == {}


def count_times(read: Callable[[str], object], piece: str, measurements: int) -> float:
    """How many times as long the longer text takes. The measurement that helps most counts."""
    long = min(cost(read, repeat(piece, SHORT * TIMES)) for _ in range(measurements))
    if long < NEGLIGIBLE_S:
        return 0
    return long / max(cost(read, repeat(piece, SHORT)) for _ in range(measurements))


def repeat(piece: str, length: int) -> str:
    """No two texts are alike: the product keeps results for a text."""
    return f"{(piece * (length // len(piece) + 1))[:length]} {next(NUMBERS)}"


def cost(read: Callable[[str], object], text: str) -> float:
    begun = time.thread_time()
    read(text)
    return time.thread_time() - begun
