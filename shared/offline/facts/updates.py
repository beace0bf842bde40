"""Find changes of known facts in a sentence: a new value for the slot, or the end of the fact."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from shared.offline.english_text import clip, slug
from shared.offline.facts import known_facts
from shared.offline.grammar import PATTERNS, Pattern, regex
from shared.offline.prompt_parser import KnownFact
from shared.policy.facts.names import CANONICAL

MAX_THING_WORDS = 4
STATES = ("state", "now")
WORK = ("employer", "occupation")
ENDED = ""
DETERMINER = re.compile(r"\b(?:my|our|the|an?) ", re.IGNORECASE)
NEW_ONE = re.compile(r"\b(?:my|our|the|an?) (?=new )", re.IGNORECASE)
# Confidence and importance by key, as in the statements, so that either can replace the other.
PLAIN = {
    CANONICAL.get(key, key.removesuffix("_{0}")): (float(confidence), float(importance))
    for _, key, confidence, importance, *_ in (p.fields for p in reversed(PATTERNS["statements"]))
}
PLAIN_THING, PLAIN_TASTE = (0.75, 0.6), (0.85, 0.5)


def find_updates(
    sentence: str, seq: int, known: Sequence[KnownFact]
) -> list[known_facts.FoundFact]:
    """The changes of known facts. The first matching pattern decides for each fact.

    Empty if the sentence says that the change did not happen.
    """
    if not known or regex("NOT_DONE").search(sentence):
        return []
    updates: dict[KnownFact, str] = {}
    for change in PATTERNS["changes"]:
        eligible = _eligible(change, sentence, known)
        for match in _matches(change.regex, sentence) if eligible else ():
            fact = _find_changed(match, eligible)
            value = _read_value(change, match, fact) if fact else None
            if fact and value is not None:
                updates.setdefault(fact, value)
    return [
        new_fact for fact, value in updates.items() for new_fact in _make_facts(fact, value, seq)
    ]


def _eligible(change: Pattern, sentence: str, known: Sequence[KnownFact]) -> Sequence[KnownFact]:
    """The facts that a pattern of this kind can change."""
    match change.fields[0]:
        case "now":
            return known if regex("NOW").search(sentence) else ()
        case "placed":
            return [fact for fact in known if regex("PLACED").match(fact.value)]
        case "work":
            return [fact for fact in known if fact.key in WORK]
    return known


def _matches(expression: re.Pattern[str], sentence: str) -> Iterator[re.Match[str]]:
    """All matches, overlapping ones, too: "the flat is gone, my home is …"."""
    match = expression.search(sentence)
    while match:
        yield match
        match = expression.search(sentence, match.start() + 1)


def _find_changed(match: re.Match[str], known: Sequence[KnownFact]) -> KnownFact | None:
    """Find the known fact that a sentence changes, by its thing or its former value.

    If these name none, it is the fact that earlier words name.
    """
    thing, old = (match.groupdict().get(name) for name in ("thing", "old"))
    if not thing:
        before = match.string[: match.start()]
        return known_facts.find_named(old, known) if old else _first_named(before, known)
    before = match.string[: match.start("thing")]
    if thing.lower().startswith("the ") and regex("ANY_PERSON").search(before):
        return None  # in "my neighbour renamed the cat" it is the neighbour's cat
    fact = known_facts.find_named(thing, known)
    return known_facts.find_named(old, [fact]) if fact and old else fact


def _first_named(text: str, known: Sequence[KnownFact]) -> KnownFact | None:
    """The first known fact that `text` names, by the longest phrase that names it."""
    begins = DETERMINER if regex("TOLD_FIRST").search(text) else NEW_ONE
    for begin in begins.finditer(text):
        words = text[begin.end() :].split()[:MAX_THING_WORDS]
        for count in range(len(words), 0, -1):
            if fact := known_facts.find_named(begin[0] + " ".join(words[:count]), known):
                return fact
    return None


def _read_value(change: Pattern, match: re.Match[str], fact: KnownFact) -> str | None:
    """The new value; `ENDED` for the end of the fact, None for a value that cannot replace it."""
    groups = match.groupdict()
    text = groups.get("value", ENDED)
    if text == ENDED:
        return ENDED
    value = text if change.fields[0] in STATES else known_facts.with_preposition(fact.value, text)
    # A taste changes only where its former value is named: "the tea is cold now" is about the tea.
    may_follow = "old" in groups or (
        not known_facts.split_taste(fact)[0] and known_facts.can_replace(fact.value, value)
    )
    return value if known_facts.is_usable_value(text) and may_follow else None


def _make_facts(fact: KnownFact, value: str, seq: int) -> Iterator[known_facts.FoundFact]:
    """The changed fact. A taste's key is its value, so a new taste also ends the former one."""
    verb, _ = known_facts.split_taste(fact)
    pairs = [(fact.key, "")] if value == ENDED or verb else []
    if value != ENDED:
        pairs.append(
            (slug(value) if verb else fact.key, clip(f"{verb}{value}", known_facts.MAX_CHARS))
        )
    for key, text in pairs:
        usual = PLAIN.get(key.partition("_")[0], PLAIN_TASTE if verb else PLAIN_THING)
        confidence, importance = PLAIN.get(key, usual)
        yield known_facts.FoundFact(
            category=fact.category,
            key=key,
            value=text,
            confidence=confidence,
            importance=importance,
            seq=seq,
            retracts=not text,
        )
