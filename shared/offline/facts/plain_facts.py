"""Extract facts by patterns: plain statements of users about themselves, and their changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from shared.offline.english_text import clip, list_terms, slug, split_sentences
from shared.offline.facts.known_facts import (
    MAX_CHARS,
    FoundFact,
    apply_facts,
    can_replace,
    is_usable_value,
)
from shared.offline.facts.updates import find_updates
from shared.offline.grammar import PATTERNS, Pattern, regex
from shared.offline.prompt_parser import KnownFact, Utterance
from shared.policy.facts.names import CANONICAL

MAX_SENTENCE_CHARS = 400  # plain facts are short, and the patterns are slow on long sentences
HEDGED, BRIEF = 0.6, 0.4  # factors of the confidence, for "maybe" and for "this week"
# The patterns expect "Hello, I'm Sam" as one sentence.
GREETING_END = re.compile(r"^\s*((?:hi|hello|hey)\b[\w ]{0,20})[!.]\s+", re.IGNORECASE)
FAVOURITES = ("favourite", "favorite", "preferred")
ENUMERATION = re.compile(r"[^,]+(?:, [^,]+)+,? (?:and|or) [^,]+")
# "Tea over coffee" and "coffee over tea" get the same key, so one replaces the other.
COMPARES = re.compile(r" (?:better than|more than|rather than|to|over) ")
SEPARATOR = re.compile(r",? (?:and|or) |, ")
JOINT = re.compile(r"\s*[,;]\s*(?:(?:and|but|so)\s+)?|\s+(?:and|but|so)\s+", re.IGNORECASE)
OWN = re.compile(
    r"(?:(?:maybe|perhaps|probably|recently|yesterday|today|now|then) )?(?:i|we|my|our)\b", re.I
)
PERSON = re.compile(r"\b(?:i|we)\b", re.IGNORECASE)


def find_facts(
    messages: Sequence[Utterance], known: Sequence[KnownFact]
) -> list[dict[str, object]]:
    """The candidates of all user messages, in order. A message may change facts of earlier ones."""
    current = list(known)
    facts: list[FoundFact] = []
    for message in messages:
        if message.role == "user":
            new = find_in_message(message, current)
            current = apply_facts(current, new)
            facts += new
    return [asdict(fact) for fact in facts]


def find_in_message(message: Utterance, known: Sequence[KnownFact]) -> list[FoundFact]:
    """The candidates of one message; none in a joke, and none from quotations."""
    if regex("JOKE").search(message.text):
        return []
    text = regex("QUOTED").sub(" ", GREETING_END.sub(r"\1, ", message.text))
    by_sentence = [
        _find_in_sentence(sentence, message.seq, known) for sentence in split_sentences(text)
    ]
    return [fact for facts in by_sentence for fact in facts]


def _find_in_sentence(sentence: str, seq: int, known: Sequence[KnownFact]) -> list[FoundFact]:
    if len(sentence) > MAX_SENTENCE_CHARS or regex("NOT_MEANT").search(sentence):
        return []
    sentence = _expand_contractions(sentence)
    facts = [fact for clause in _split_clauses(sentence) for fact in _find_in_clause(clause, seq)]
    # "I don't work at A any more, I work at B": the new value counts, not the retraction.
    unique = _unique_slots(sorted(facts, key=lambda fact: fact.retracts))
    plausible = [fact for fact in unique if _is_plausible(fact, known)]
    stated = [replace(fact, value="") if fact.retracts else fact for fact in plausible]
    changed = [_lower_confidence(fact, sentence) for fact in find_updates(sentence, seq, known)]
    # "I left A, I work at B now": the new value takes the place of the end.
    new = {_slot(fact) for fact in stated if not fact.retracts}
    changes = [fact for fact in changed if not (fact.retracts and _slot(fact) in new)]
    return _unique_slots([*changes, *stated])


def _find_in_clause(clause: str, seq: int) -> list[FoundFact]:
    """The facts of a clause. With "no longer" they are retractions of the value that they name."""
    retracts = bool(regex("NOT_ANY_MORE").search(clause))
    stated = " ".join(regex("NEGATION").sub(" ", clause).split()) if retracts else clause
    quote = clause if retracts else ""
    return [
        _lower_confidence(replace(fact, retracts=retracts, quote=quote), clause)
        for fact in _match(stated, seq)
    ]


def _match(clause: str, seq: int) -> Iterator[FoundFact]:
    """Apply the patterns in order. Each pattern skips text that an earlier one has matched."""
    read: list[range] = []
    for pattern in PATTERNS["statements"]:
        for match in pattern.regex.finditer(clause):
            if is_usable_value(match["value"]) and not _overlaps(match, read):
                read.append(range(*match.span("value")))
                yield from _make(pattern, match, seq)


def _overlaps(match: re.Match[str], read: Sequence[range]) -> bool:
    spans = [match.span(name) for name in match.groupdict() if match[name]]
    return any(begin < span.stop and span.start < end for begin, end in spans for span in read)


def _make(pattern: Pattern, match: re.Match[str], seq: int) -> Iterator[FoundFact]:
    category, key, confidence, importance, *verb = pattern.fields
    for value in _values(category, match):
        name = _key_part(match, value)
        if name is not None:
            yield FoundFact(
                category="preference" if name.startswith(FAVOURITES) else category,
                key=key.format(name),
                value=" ".join([*verb, value]),
                confidence=float(confidence),
                importance=float(importance),
                seq=seq,
            )


def _values(category: str, match: re.Match[str]) -> list[str]:
    """The value; for tastes, each item of "hiking, chess and jazz"."""
    rest = match.string[match.start("value") :].rstrip(" .!")
    if category == "preference" and ENUMERATION.fullmatch(rest):
        return [item for item in SEPARATOR.split(rest) if is_usable_value(item)]
    return [clip(match["value"], MAX_CHARS)]


def _key_part(match: re.Match[str], value: str) -> str | None:
    """The part of the key that comes from the text, as `favourite_colour`; None: it is no fact."""
    groups = match.groupdict()
    if "verb" in groups:
        return _thing_key(match)
    name = slug(groups.get("of") or groups.get("thing") or value)
    return "_".join(sorted(name.split("_"))) if COMPARES.search(value) else name


def _thing_key(match: re.Match[str]) -> str | None:
    """`dog_name`, `favourite_colour`; None for facts of other people and figures of speech."""
    thing = match["thing"].lower().replace("'s ", " ").removeprefix("new ")
    thing, verb = thing.replace("user name", "username"), match["verb"].lower()
    # "My boss is Marcus" is a name. "My boss is ill now" is a fact of the boss.
    is_one = regex("ONE").fullmatch(match["thing"].removeprefix("new "))
    is_name = verb not in ("is", "are") or bool(
        is_one and regex("PROPERS").fullmatch(match["value"])
    )
    is_odd = verb == "are" and not regex("MANY").fullmatch(thing)
    is_theirs = regex("ANY_PERSON").search(thing) and "name" not in thing
    if regex("ANY_NO_THING").search(thing) or (not is_name and (is_odd or is_theirs)):
        return None
    return slug(f"{thing} name") if is_name else slug(thing)


def _lower_confidence(fact: FoundFact, sentence: str) -> FoundFact:
    """Lower the confidence if `sentence` is hedged or about a short time."""
    hedged = HEDGED if regex("HEDGE").search(sentence) else 1.0
    certainty = hedged * (BRIEF if regex("FLEETING").search(sentence) else 1.0)
    return replace(fact, confidence=round(fact.confidence * certainty, 2))


def _unique_slots(facts: list[FoundFact]) -> list[FoundFact]:
    """The first fact of each slot."""
    return list({_slot(fact): fact for fact in reversed(facts)}.values())[::-1]


def _slot(fact: FoundFact) -> str:
    return CANONICAL.get(fact.key, fact.key)


def _is_plausible(fact: FoundFact, known: Sequence[KnownFact]) -> bool:
    """Whether `fact` fits the known fact of its slot. A retraction must mention its value."""
    former = next((item.value for item in known if item.key == _slot(fact)), "")
    if fact.retracts:
        return not known or bool(set(list_terms(fact.value)) & set(list_terms(former)))
    if not former:
        return True
    is_open = fact.category == "identity" and _slot(fact) not in CANONICAL
    return not is_open or fact.key.endswith("_name") or can_replace(former, fact.value)


def _expand_contractions(sentence: str) -> str:
    """`I’ve just moved` → `I have moved`."""
    for pattern in PATTERNS["contractions"]:
        sentence = pattern.regex.sub(" ".join(pattern.fields), sentence)
    return sentence


def _split_clauses(sentence: str) -> Iterator[str]:
    """`I am 34, live in Oslo and my dog is …` → `I am 34`, `I live in Oslo`, `my dog is …`.

    It splits only where another statement of the same person begins. "Cats and dogs" is not
    split, nor is "my sister lives in Rome and works there".
    """
    lead, begin = "", 0
    for joint in JOINT.finditer(sentence):
        clause = lead + sentence[begin : joint.start()]
        omitted = _omitted(clause, sentence[joint.end() :])
        if omitted is not None:
            yield clause
            lead, begin = omitted, joint.end()
    yield lead + sentence[begin:]


def _omitted(clause: str, rest: str) -> str | None:
    """The words that `rest` omits at its start; None when it is no statement of its own."""
    people = PERSON.findall(clause)
    if OWN.match(rest):
        return "" if people or OWN.match(clause) else None
    if people and regex("VERB").match(rest):
        return f"{people[-1]} "
    return f"{people[-1]} am " if people and regex("STATE").match(rest) else None
