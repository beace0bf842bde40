"""What a sentence changes of what is on record: another value in the same slot, or an end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from shared.offline.facts import record
from shared.offline.grammar import FORMS, Form, word
from shared.offline.reading import Known
from shared.offline.words import clip, slug
from shared.policy.facts.names import CANONICAL

MAX_THING_WORDS = 4
STATES = ("state", "now")
WORK = ("employer", "occupation")
ENDED = ""
DETERMINER = re.compile(r"\b(?:my|our|the|an?) ", re.IGNORECASE)
NEW_ONE = re.compile(r"\b(?:my|our|the|an?) (?=new )", re.IGNORECASE)
# As sure as the plain statement of the same slot, so that either can replace the other.
PLAIN = {
    CANONICAL.get(key, key.removesuffix("_{0}")): (float(confidence), float(importance))
    for _, key, confidence, importance, *_ in (f.heads for f in reversed(FORMS["statements"]))
}
PLAIN_THING, PLAIN_TASTE = (0.75, 0.6), (0.85, 0.5)


def find_updates(sentence: str, seq: int, known: Sequence[Known]) -> list[record.FoundFact]:
    """One a fact, by the first form that fits; none where it did not come about."""
    if not known or word("NOT_DONE").search(sentence):
        return []
    updates: dict[Known, str] = {}
    for change in FORMS["changes"]:
        among = _that_may_change(change, sentence, known)
        for match in _matches(change.says, sentence) if among else ():
            fact = _find_changed(match, among)
            value = _read_value(change, match, fact) if fact else None
            if fact and value is not None:
                updates.setdefault(fact, value)
    return [found for fact, value in updates.items() for found in _candidates(fact, value, seq)]


def _that_may_change(change: Form, sentence: str, known: Sequence[Known]) -> Sequence[Known]:
    match change.heads[0]:
        case "now":
            return known if word("NOW").search(sentence) else ()
        case "placed":
            return [fact for fact in known if word("PLACED").match(fact.value)]
        case "work":
            return [fact for fact in known if fact.key in WORK]
    return known


def _matches(pattern: re.Pattern[str], sentence: str) -> Iterator[re.Match[str]]:
    """All places where it begins, also within another: "the flat is gone, my home is …"."""
    found = pattern.search(sentence)
    while found:
        yield found
        found = pattern.search(sentence, found.start() + 1)


def _find_changed(match: re.Match[str], known: Sequence[Known]) -> Known | None:
    """By the thing, or its former value, or both; where neither is told, by what went before."""
    thing, old = (match.groupdict().get(name) for name in ("thing", "old"))
    if not thing:
        before = match.string[: match.start()]
        return record.find_named(old, known) if old else _first_named(before, known)
    before = match.string[: match.start("thing")]
    if thing.lower().startswith("the ") and word("ANY_PERSON").search(before):
        return None  # "my neighbour renamed the cat", which is hers
    fact = record.find_named(thing, known)
    return record.find_named(old, [fact]) if fact and old else fact


def _first_named(text: str, known: Sequence[Known]) -> Known | None:
    """The first thing on record that `text` says has changed, by as many words as name it."""
    begins = DETERMINER if word("TOLD_FIRST").search(text) else NEW_ONE
    for begin in begins.finditer(text):
        words = text[begin.end() :].split()[:MAX_THING_WORDS]
        for count in range(len(words), 0, -1):
            if fact := record.find_named(begin[0] + " ".join(words[:count]), known):
                return fact
    return None


def _read_value(change: Form, match: re.Match[str], fact: Known) -> str | None:
    """What holds instead; `ENDED` where nothing does, None where it cannot follow on the fact."""
    groups = match.groupdict()
    told = groups.get("value", ENDED)
    if told == ENDED:
        return ENDED
    value = told if change.heads[0] in STATES else record.reword(fact.value, told)
    # A taste does not change by itself: what "has changed" is the thing that is liked.
    may_follow = "old" in groups or (
        not record.thing_of(fact)[0] and record.is_alike(fact.value, value)
    )
    return value if record.fits(told) and may_follow else None


def _candidates(fact: Known, value: str, seq: int) -> Iterator[record.FoundFact]:
    """A taste has its value's slot, so another taste is another fact, and the former one ends."""
    verb, _ = record.thing_of(fact)
    told = [(fact.key, "")] if value == ENDED or verb else []
    if value != ENDED:
        told.append((slug(value) if verb else fact.key, clip(f"{verb}{value}", record.MAX_CHARS)))
    for key, text in told:
        usual = PLAIN.get(key.partition("_")[0], PLAIN_TASTE if verb else PLAIN_THING)
        confidence, importance = PLAIN.get(key, usual)
        yield record.FoundFact(
            category=fact.category,
            key=key,
            value=text,
            confidence=confidence,
            importance=importance,
            seq=seq,
            retracts=not text,
        )
