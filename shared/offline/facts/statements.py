"""Facts by pattern: what the user plainly says of themself, and what it changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from shared.offline.facts.clauses import split_clauses, write_out
from shared.offline.facts.record import MAX_CHARS, FoundFact, fits, is_alike, keep
from shared.offline.facts.updates import find_updates
from shared.offline.grammar import FORMS, Form, word
from shared.offline.reading import Known, Said
from shared.offline.words import clip, list_terms, slug, split_sentences
from shared.policy.facts.names import CANONICAL

MAX_SENTENCE_CHARS = 400  # plain facts are short, and the patterns slow on what is not
HEDGED, BRIEF = 0.6, 0.4  # what a "maybe" and a "this week" leave of the confidence
# "Hello! I'm Sam" is one sentence to the forms.
GREETING_END = re.compile(r"^\s*((?:hi|hello|hey)\b[\w ]{0,20})[!.]\s+", re.IGNORECASE)
FAVOURITES = ("favourite", "favorite", "preferred")
ENUMERATION = re.compile(r"[^,]+(?:, [^,]+)+,? (?:and|or) [^,]+")
# The same two the other way round are the same question, and another answer to it.
COMPARES = re.compile(r" (?:better than|more than|rather than|to|over) ")
SEPARATOR = re.compile(r",? (?:and|or) |, ")


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
    if word("JOKE").search(message.text):
        return []
    text = word("QUOTED").sub(" ", GREETING_END.sub(r"\1, ", message.text))
    found = [_find_in_sentence(one, message.seq, known) for one in split_sentences(text)]
    return [fact for facts in found for fact in facts]


def _find_in_sentence(sentence: str, seq: int, known: Sequence[Known]) -> list[FoundFact]:
    if len(sentence) > MAX_SENTENCE_CHARS or word("NOT_MEANT").search(sentence):
        return []
    sentence = write_out(sentence)
    told = [fact for clause in split_clauses(sentence) for fact in _find_in_clause(clause, seq)]
    # "I don't work at A any more, I work at B": the new value says it all.
    told = _one_a_key(sorted(told, key=lambda fact: fact.retracts))
    stated = [
        replace(one, value="") if one.retracts else one for one in told if _may_stand(one, known)
    ]
    changed = [_doubt(fact, sentence) for fact in find_updates(sentence, seq, known)]
    return _one_a_key([*changed, *stated])


def _find_in_clause(clause: str, seq: int) -> list[FoundFact]:
    """Of a clause that takes something back, retractions, which still name their value."""
    retracts = bool(word("NOT_ANY_MORE").search(clause))
    stated = " ".join(word("NEGATION").sub(" ", clause).split()) if retracts else clause
    return [_doubt(replace(fact, retracts=retracts), clause) for fact in _match(stated, seq)]


def _match(clause: str, seq: int) -> Iterator[FoundFact]:
    """What one form has read of the clause, no later one reads again."""
    read: list[range] = []
    for form in FORMS["statements"]:
        for match in form.says.finditer(clause):
            if fits(match["value"]) and not _overlaps(match, read):
                read.append(range(*match.span("value")))
                yield from _make(form, match, seq)


def _overlaps(match: re.Match[str], read: Sequence[range]) -> bool:
    spans = [match.span(name) for name in match.groupdict() if match[name]]
    return any(begin < one.stop and one.start < end for begin, end in spans for one in read)


def _make(form: Form, match: re.Match[str], seq: int) -> Iterator[FoundFact]:
    category, key, confidence, importance, *verb = form.heads
    for value in _values(category, match):
        name = _name(match, value)
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
    """One; each of "hiking, chess and jazz" is a taste of its own."""
    rest = match.string[match.start("value") :].rstrip(" .!")
    if category == "preference" and ENUMERATION.fullmatch(rest):
        return [one for one in SEPARATOR.split(rest) if fits(one)]
    return [clip(match["value"], MAX_CHARS)]


def _name(match: re.Match[str], value: str) -> str | None:
    """What the key says of the value: `dog`, `favourite_colour`; None where it is no fact."""
    groups = match.groupdict()
    if "verb" in groups:
        return _thing_key(match)
    name = slug(groups.get("of") or groups.get("thing") or value)
    return "_".join(sorted(name.split("_"))) if COMPARES.search(value) else name


def _thing_key(match: re.Match[str]) -> str | None:
    """`dog_name`, `favourite_colour`; None for other people's affairs and figures of speech."""
    thing = match["thing"].lower().replace("'s ", " ").removeprefix("new ")
    thing, verb = thing.replace("user name", "username"), match["verb"].lower()
    # "My boss is Marcus" says who, where "my boss is ill now" is the boss's own affair.
    is_one = word("ONE").fullmatch(match["thing"].removeprefix("new "))
    is_name = verb not in ("is", "are") or bool(
        is_one and word("PROPERS").fullmatch(match["value"])
    )
    is_odd = verb == "are" and not word("MANY").fullmatch(thing)
    is_theirs = word("ANY_PERSON").search(thing) and "name" not in thing
    if word("ANY_NO_THING").search(thing) or (not is_name and (is_odd or is_theirs)):
        return None
    return slug(f"{thing} name") if is_name else slug(thing)


def _doubt(fact: FoundFact, told: str) -> FoundFact:
    """Less sure by what `told`, the words that it comes from, leaves open."""
    hedged = HEDGED if word("HEDGE").search(told) else 1.0
    certainty = hedged * (BRIEF if word("FLEETING").search(told) else 1.0)
    return replace(fact, confidence=round(fact.confidence * certainty, 2))


def _one_a_key(facts: list[FoundFact]) -> list[FoundFact]:
    """The first that fits a slot has it."""
    return list({_slot(fact): fact for fact in reversed(facts)}.values())[::-1]


def _slot(fact: FoundFact) -> str:
    return CANONICAL.get(fact.key, fact.key)


def _may_stand(fact: FoundFact, known: Sequence[Known]) -> bool:
    """Not "my car is at the garage" where the car is a Skoda, nor the end of what was not so."""
    held = next((item.value for item in known if item.key == _slot(fact)), "")
    if fact.retracts:
        return not known or bool(set(list_terms(fact.value)) & set(list_terms(held)))
    if not held:
        return True
    is_open = fact.category == "identity" and _slot(fact) not in CANONICAL
    return not is_open or fact.key.endswith("_name") or is_alike(held, fact.value)
