"""What a sentence changes of what is on record: another value in the same slot, or an end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from shared.llm.offline import update_patterns as forms
from shared.llm.offline.fact_patterns import PATTERNS
from shared.llm.offline.fact_signs import PEOPLE
from shared.llm.offline.found import MAX_VALUE_CHARS, FoundFact, fits
from shared.llm.offline.on_record import PLACED, find_named, is_alike, reword, thing_of
from shared.llm.offline.reading import Known
from shared.llm.offline.words import clip, list_words, slug
from shared.policy.facts.names import CANONICAL

MAX_THING_WORDS = 4
# As sure as the plain statement of the same slot, so that either can replace the other.
PLAIN = {CANONICAL.get(p.key, p.key): (p.confidence, p.importance) for p in reversed(PATTERNS)}
PLAIN_THING = (0.75, 0.6)
PLAIN_TASTE = (0.85, 0.5)


@dataclass(frozen=True, kw_only=True)
class Update:
    """`value` is what holds instead of what `fact` says; None: nothing does."""

    fact: Known
    value: str | None


def find_updates(sentence: str, seq: int, known: Sequence[Known]) -> list[FoundFact]:
    """One a fact, by the first form that fits; none where it did not come about."""
    if not known or forms.NOT_DONE.search(sentence):
        return []
    updates: dict[Known, Update] = {}
    for find in FINDERS:
        for update in find(sentence, known):
            updates.setdefault(update.fact, update)
    return [fact for update in updates.values() for fact in _candidates(update, seq)]


def _switches(sentence: str, known: Sequence[Known]) -> Iterator[Update]:
    for match in _matches(forms.SWITCHES, sentence):
        fact = find_named(match["old"], known)
        if fact and fits(match["value"]):
            yield Update(fact=fact, value=reword(fact.value, match["value"]))


def _changes(sentence: str, known: Sequence[Known]) -> Iterator[Update]:
    for match in _matches(forms.CHANGES, sentence):
        if update := _reworded(match, find_named(_own(match), known)):
            yield update
    for match in _matches(forms.MOVES, sentence):
        fact = find_named(_own(match), known)
        if fact and PLACED.match(fact.value) and (update := _reworded(match, fact)):
            yield update


def _reworded(match: re.Match[str], fact: Known | None) -> Update | None:
    """A taste does not change by itself: what "has changed" is the thing that is liked."""
    if fact is None or thing_of(fact)[0] or not fits(match["value"]):
        return None
    value = reword(fact.value, match["value"])
    return Update(fact=fact, value=value) if is_alike(fact.value, value) else None


def _states(sentence: str, known: Sequence[Known]) -> Iterator[Update]:
    if not forms.NOW.search(sentence):
        return
    for match in _matches(forms.STATES, sentence):
        fact = find_named(_own(match), known)
        if fact and fits(match["value"]) and is_alike(fact.value, match["value"]):
            yield Update(fact=fact, value=match["value"])


def _after_it(sentence: str, known: Sequence[Known]) -> Iterator[Update]:
    for match in _matches(forms.AFTER_IT, sentence):
        fact = _first_named(sentence[: match.start()], known)
        if fact and fits(match["value"]) and is_alike(fact.value, match["value"]):
            yield Update(fact=fact, value=match["value"])


def _ends(sentence: str, known: Sequence[Known]) -> Iterator[Update]:
    work = [fact for fact in known if fact.key in forms.WORK]
    for match in _matches(forms.DISMISSALS, sentence):
        fact = find_named(match["thing"], known)
        if fact and find_named(match["old"], [fact]):
            yield Update(fact=fact, value=None)
    for match in _matches(forms.WORK_ENDS, sentence):
        if fact := find_named(match["old"], work):
            yield Update(fact=fact, value=None)
    for match in _matches(forms.ENDS, sentence):
        if fact := find_named(match["old"], known):
            yield Update(fact=fact, value=None)


Find = Callable[[str, Sequence[Known]], Iterator[Update]]
FINDERS: tuple[Find, ...] = (_switches, _changes, _after_it, _states, _ends)


def _matches(patterns: Iterable[re.Pattern[str]], sentence: str) -> Iterator[re.Match[str]]:
    """All places where one begins, also within another: "the flat is gone, my home is …"."""
    for pattern in patterns:
        found = pattern.search(sentence)
        while found:
            yield found
            found = pattern.search(sentence, found.start() + 1)


def _own(match: re.Match[str]) -> str:
    """The thing; "" for "my neighbour renamed the cat", which is hers."""
    thing = match["thing"]
    before = set(list_words(match.string[: match.start("thing")]))
    is_theirs = thing.lower().startswith("the ") and before & PEOPLE
    return "" if is_theirs else thing


def _first_named(text: str, known: Sequence[Known]) -> Known | None:
    """The first thing on record that `text` says has changed, by as many words as name it."""
    begins = forms.DETERMINER if forms.TOLD_FIRST.search(text) else forms.NEW_ONE
    for begin in begins.finditer(text):
        words = text[begin.end() :].split()[:MAX_THING_WORDS]
        for count in range(len(words), 0, -1):
            if fact := find_named(begin[0] + " ".join(words[:count]), known):
                return fact
    return None


def _candidates(update: Update, seq: int) -> list[FoundFact]:
    """A taste has its value's slot, so another taste is another fact, and the former one ends."""
    fact = update.fact
    verb, _ = thing_of(fact)
    if update.value is None:
        return [_candidate(fact, fact.key, "", seq)]
    value = clip(f"{verb}{update.value}", MAX_VALUE_CHARS)
    if not verb:
        return [_candidate(fact, fact.key, value, seq)]
    key = slug(update.value)
    return [_candidate(fact, fact.key, "", seq), _candidate(fact, key, value, seq)]


def _candidate(fact: Known, key: str, value: str, seq: int) -> FoundFact:
    usual = PLAIN_TASTE if thing_of(fact)[0] else PLAIN_THING
    if key.startswith("allergy"):
        usual = PLAIN["allergy_{0}"]
    confidence, importance = PLAIN.get(key, usual)
    return FoundFact(
        category=fact.category,
        key=key,
        value=value,
        confidence=confidence,
        importance=importance,
        seq=seq,
        retracts=not value,
    )
