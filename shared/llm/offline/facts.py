"""Facts by pattern: what the user plainly says of themself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, replace

from shared.llm.offline import fact_signs as signs
from shared.llm.offline.fact_patterns import (
    COMPARES,
    MY_THING,
    NEW_PERSON,
    PATTERNS,
    PROPER,
    FactPattern,
)
from shared.llm.offline.found import MAX_VALUE_CHARS, FoundFact, fits
from shared.llm.offline.on_record import is_alike, keep
from shared.llm.offline.reading import Known, Said
from shared.llm.offline.updates import find_updates
from shared.llm.offline.words import clip, list_terms, slug, split_sentences
from shared.policy.facts.names import CANONICAL

MAX_SENTENCE_CHARS = 400  # plain facts are short, and the patterns slow on what is not
HEDGED, BRIEF = 0.6, 0.4  # what a "maybe" and a "this week" leave of the confidence
# "Hello! I'm Sam" is one sentence to the patterns.
GREETING_END = re.compile(r"^\s*((?:hi|hello|hey)\b[\w ]{0,20})[!.]\s+", re.IGNORECASE)
FAVOURITES = ("favourite", "favorite", "preferred")


def find_facts(said: Sequence[Said], known: Sequence[Known]) -> list[dict[str, object]]:
    """The candidates of all user messages, in order; what one tells, the next may change."""
    held = list(known)
    found: list[FoundFact] = []
    for message in said:
        if message.role == "user":
            told = find_in_message(message, held)
            held = keep(held, told)
            found += told
    return [asdict(fact) for fact in found]


def find_in_message(message: Said, known: Sequence[Known]) -> list[FoundFact]:
    """A joke anywhere makes the whole message one; what is quoted, somebody else said."""
    if signs.JOKE.search(message.text):
        return []
    text = signs.QUOTED.sub(" ", GREETING_END.sub(r"\1, ", message.text))
    found = [_find_in_sentence(one, message.seq, known) for one in split_sentences(text)]
    return [fact for facts in found for fact in facts]


def _find_in_sentence(sentence: str, seq: int, known: Sequence[Known]) -> list[FoundFact]:
    if len(sentence) > MAX_SENTENCE_CHARS or signs.NOT_MEANT.search(sentence):
        return []
    certainty = _certainty(sentence)
    plain = [_use_known_key(fact, known) for fact in _find_plain(sentence, seq)]
    stated = [_state(fact) for fact in plain if _may_stand(fact, known)]
    found = _one_a_key([*find_updates(sentence, seq, known), *stated])
    return [replace(fact, confidence=round(fact.confidence * certainty, 2)) for fact in found]


def _find_plain(sentence: str, seq: int) -> list[FoundFact]:
    """What it says by itself, whatever is on record. Retractions still name their value."""
    retracts = signs.NOT_ANY_MORE.search(sentence)
    clauses = signs.CLAUSE.split(sentence) if retracts else [sentence]
    found = [fact for clause in clauses for fact in _find_in_clause(clause, seq)]
    # "I don't work at A any more, I work at B": the new value says it all.
    return _one_a_key(sorted(found, key=lambda fact: fact.retracts))


def _find_in_clause(clause: str, seq: int) -> list[FoundFact]:
    if not signs.NOT_ANY_MORE.search(clause):
        return _match(clause, seq)
    stated = " ".join(signs.NEGATION.sub(" ", clause).split())
    return [replace(fact, retracts=True) for fact in _match(stated, seq)]


def _state(fact: FoundFact) -> FoundFact:
    return replace(fact, value="") if fact.retracts else fact


def _match(clause: str, seq: int) -> list[FoundFact]:
    found = [fact for pattern in PATTERNS if (fact := _apply(pattern, clause, seq))]
    return _one_a_key(found or _find_my_thing(clause, seq))


def _apply(pattern: FactPattern, sentence: str, seq: int) -> FoundFact | None:
    match = pattern.says.search(sentence)
    if not match or not fits(match["value"]):
        return None
    value = clip(match["value"], MAX_VALUE_CHARS)
    return FoundFact(
        category=pattern.category,
        key=_value_key(pattern, match),
        value=pattern.shape.format(value),
        confidence=pattern.confidence,
        importance=pattern.importance,
        seq=seq,
    )


def _value_key(pattern: FactPattern, match: re.Match[str]) -> str:
    key = slug(match.groupdict().get("of") or clip(match["value"], MAX_VALUE_CHARS))
    if pattern.category == "preference" and COMPARES.search(match["value"]):
        key = "_".join(sorted(key.split("_")))
    return pattern.key.format(key)


def _find_my_thing(sentence: str, seq: int) -> list[FoundFact]:
    match = MY_THING.search(sentence)
    if not match or not fits(match["value"]):
        return []
    key = _thing_key(match)
    if key is None:
        return []
    category = "preference" if key.startswith(FAVOURITES) else "identity"
    value = clip(match["value"], MAX_VALUE_CHARS)
    return [
        FoundFact(category=category, key=key, value=value, confidence=0.75, importance=0.6, seq=seq)
    ]


def _thing_key(match: re.Match[str]) -> str | None:
    """`dog_name`, `favourite_colour`; None for other people's affairs and figures of speech."""
    thing = match["thing"].lower().replace("’", "'").replace("'s ", " ")
    thing = thing.removeprefix("new ").replace("user name", "username")
    named = match["verb"].lower() != "is" or _is_new_person(match)
    words = set(thing.split())
    if words & signs.NO_THINGS or (words & signs.PEOPLE and not named and "name" not in words):
        return None
    return slug(f"{thing} name") if named else slug(thing)


def _is_new_person(match: re.Match[str]) -> bool:
    is_person = set(match["thing"].lower().removeprefix("new ").split()) <= signs.PEOPLE
    return is_person and bool(PROPER.fullmatch(match["value"]) and NEW_PERSON.search(match.string))


def _certainty(sentence: str) -> float:
    hedged = HEDGED if signs.HEDGE.search(sentence) else 1.0
    return hedged * (BRIEF if signs.FLEETING.search(sentence) else 1.0)


def _one_a_key(facts: list[FoundFact]) -> list[FoundFact]:
    """The first that fits a slot has it."""
    return list({_slot(fact): fact for fact in reversed(facts)}.values())[::-1]


def _slot(fact: FoundFact) -> str:
    return CANONICAL.get(fact.key, fact.key)


def _use_known_key(fact: FoundFact, known: Sequence[Known]) -> FoundFact:
    """A retraction hits the slot that the fact is really kept in."""
    if not fact.retracts or any(_slot(fact) == item.key for item in known):
        return fact
    meant = set(list_terms(fact.key.replace("_", " ")))
    for item in known:
        if item.category == fact.category and meant & set(list_terms(item.value)):
            return replace(fact, key=item.key)
    return fact


def _may_stand(fact: FoundFact, known: Sequence[Known]) -> bool:
    """Not "my car is at the garage" where the car is a Skoda, nor the end of what was not so."""
    held = next((item.value for item in known if item.key == _slot(fact)), "")
    if not held:
        return True
    if fact.retracts:
        return bool(set(list_terms(fact.value)) & set(list_terms(held)))
    is_open = fact.category == "identity" and _slot(fact) not in CANONICAL
    return not is_open or fact.key.endswith("_name") or is_alike(held, fact.value)
