"""Facts by pattern: what the user plainly says of themself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from shared.llm.offline import fact_signs as signs
from shared.llm.offline.fact_patterns import MY_THING, PATTERNS, FactPattern
from shared.llm.offline.reading import Known, Said
from shared.llm.offline.words import clip, list_terms, list_words, slug, split_sentences

MAX_SENTENCE_CHARS = 400  # plain facts are short, and the patterns slow on what is not
MAX_VALUE_CHARS = 120
MAX_VALUE_WORDS = 12
HEDGED, BRIEF = 0.6, 0.4  # what a "maybe" and a "this week" leave of the confidence
# "Hello! I'm Sam" is one sentence to the patterns.
GREETING_END = re.compile(r"^\s*((?:hi|hello|hey)\b[\w ]{0,20})[!.]\s+", re.IGNORECASE)
FAVOURITES = ("favourite", "favorite", "preferred")


@dataclass(frozen=True, kw_only=True)
class FoundFact:
    """One candidate; the fields are those of the facts prompt's JSON."""

    category: str
    key: str
    value: str
    confidence: float
    importance: float
    seq: int
    retracts: bool = False


def find_facts(said: Sequence[Said], known: Sequence[Known]) -> list[dict[str, object]]:
    """The candidates of all user messages, in order."""
    users = [message for message in said if message.role == "user"]
    found = [fact for message in users for fact in find_in_message(message)]
    return [asdict(_use_known_key(fact, known)) for fact in found]


def find_in_message(message: Said) -> list[FoundFact]:
    """A joke anywhere makes the whole message one."""
    if signs.JOKE.search(message.text):
        return []
    sentences = split_sentences(GREETING_END.sub(r"\1, ", message.text))
    return [fact for sentence in sentences for fact in _find_in_sentence(sentence, message.seq)]


def _find_in_sentence(sentence: str, seq: int) -> list[FoundFact]:
    if len(sentence) > MAX_SENTENCE_CHARS or signs.NOT_MEANT.search(sentence):
        return []
    certainty = _certainty(sentence)
    retracts = signs.NOT_ANY_MORE.search(sentence)
    clauses = signs.CLAUSE.split(sentence) if retracts else [sentence]
    found = [fact for clause in clauses for fact in _find_in_clause(clause, seq)]
    weakened = [replace(fact, confidence=round(fact.confidence * certainty, 2)) for fact in found]
    # "I don't work at A any more, I work at B": the new value says it all.
    return _one_a_key(sorted(weakened, key=lambda fact: fact.retracts))


def _find_in_clause(clause: str, seq: int) -> list[FoundFact]:
    if not signs.NOT_ANY_MORE.search(clause):
        return _match(clause, seq)
    stated = " ".join(signs.NEGATION.sub(" ", clause).split())
    return [replace(fact, value="", retracts=True) for fact in _match(stated, seq)]


def _match(clause: str, seq: int) -> list[FoundFact]:
    found = [fact for pattern in PATTERNS if (fact := _apply(pattern, clause, seq))]
    return _one_a_key(found or _find_my_thing(clause, seq))


def _apply(pattern: FactPattern, sentence: str, seq: int) -> FoundFact | None:
    match = pattern.says.search(sentence)
    if not match or not _fits(match["value"]):
        return None
    value = clip(match["value"], MAX_VALUE_CHARS)
    return FoundFact(
        category=pattern.category,
        key=pattern.key.format(slug(value)),
        value=pattern.shape.format(value),
        confidence=pattern.confidence,
        importance=pattern.importance,
        seq=seq,
    )


def _find_my_thing(sentence: str, seq: int) -> list[FoundFact]:
    match = MY_THING.search(sentence)
    if not match or not _fits(match["value"]):
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
    named = match["verb"].lower() != "is"
    words = set(thing.split())
    if words & signs.NO_THINGS or (words & signs.PEOPLE and not named and "name" not in words):
        return None
    return slug(f"{thing} name") if named else slug(thing)


def _fits(value: str) -> bool:
    """Whether a value says something: "I love it" does not, nor does "my car is broken"."""
    words = list_words(value)
    says_nothing = not words or words[0] in signs.NO_STARTS or signs.NO_PARTS & set(words)
    return not says_nothing and len(words) <= MAX_VALUE_WORDS


def _certainty(sentence: str) -> float:
    hedged = HEDGED if signs.HEDGE.search(sentence) else 1.0
    return hedged * (BRIEF if signs.FLEETING.search(sentence) else 1.0)


def _one_a_key(facts: list[FoundFact]) -> list[FoundFact]:
    """The first pattern that fits a slot has it."""
    return list({fact.key: fact for fact in reversed(facts)}.values())[::-1]


def _use_known_key(fact: FoundFact, known: Sequence[Known]) -> FoundFact:
    """A retraction hits the slot that the fact is really kept in."""
    if not fact.retracts or any(fact.key == k.key for k in known):
        return fact
    meant = set(list_terms(fact.key.replace("_", " ")))
    for item in known:
        if item.category == fact.category and meant & set(list_terms(item.value)):
            return replace(fact, key=item.key)
    return fact
