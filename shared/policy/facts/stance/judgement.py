"""What a clause makes of a value: stated of the user, or not."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Literal, Protocol

from shared.policy.facts.grounding.evidence import list_parts, overlap
from shared.policy.facts.grounding.folding import fold, read_words
from shared.policy.facts.names import CANONICAL
from shared.policy.facts.slots import normalize_key
from shared.policy.facts.stance.clauses import Clause, is_negated, own_place
from shared.policy.facts.stance.marks import Marks, list_marks, plain, recognise

#: `stated` counts, `doubtful` waits for the user; the others are why it is no fact.
Stance = Literal[
    "stated", "doubtful", "question", "hypothetical", "someone_else", "negated", "ended"
]
BEST_FIRST: tuple[Stance, ...] = (
    "stated", "doubtful", "ended", "negated", "someone_else", "hypothetical", "question",
)  # fmt: skip

# Besides the typed ones: what a person is or has by themself. Of "my dog is called Rex" none holds.
_PERSONAL = frozenset(
    (
        "phone", "phone_number", "telephone", "mobile", "language", "languages", "language_skills",
        "spoken_languages", "languages_spoken", "native_language", "mother_tongue", "nationality",
        "height", "weight", "gender", "pronouns", "religion", "marital_status", "address",
        "relationship_status", "education", "school", "university", "degree", "hometown",
        "birthplace", "birth_place", "hair_colour", "eye_colour", "blood_type", "shoe_size",
    )
)  # fmt: skip
_TYPED = frozenset(key for key in CANONICAL.values() if key not in ("budget", "time_zone"))
# A trait that one has or has not, where "not" leaves nothing: "not allergic to nuts".
_TRAITS = re.compile(
    r"\w*(?:allerg|alerg|аллерг|intoler|unverträg|diabet|vegetar|végétar|vegan)\w*"
    r"|过敏|アレルギー|حساسية|एलर्जी"
)
_NAME_KEY = re.compile(r"(?:^|_)names?$")


class Claimed(Protocol):
    """What a model says that the user said."""

    @property
    def category(self) -> str: ...
    @property
    def key(self) -> str: ...
    @property
    def value(self) -> str: ...


@dataclass(frozen=True, kw_only=True)
class Slot:
    """A claim's key, read: `people` are the relations that it names."""

    key: str
    is_personal: bool
    is_name: bool
    people: frozenset[str]


def choose_clauses(value: str, clauses: tuple[Clause, ...]) -> list[Clause]:
    """Those that hold the most of a value."""
    parts = list_parts(value)
    counts = [overlap(parts, clause_words(clause)) for clause in clauses]
    most = max(counts, default=0)
    return [c for c, count in zip(clauses, counts, strict=True) if count == most and most]


@functools.lru_cache(maxsize=2048)
def clause_words(clause: Clause) -> frozenset[str]:
    return frozenset(word.text for word in read_words(fold(clause.text)))


def may_end(claim: Claimed, clause: Clause) -> bool:
    """It tells of the user, or of what the claim is about, and means it."""
    if (
        clause.is_asked
        or clause.is_imagined
        or _imagines(claim, clause)
        or _is_hedged(claim, clause)
    ):
        return False
    slot = _read_slot(claim.key)
    named = _people_before(clause, len(clause.text))
    return clause.subject != "other" or bool(named & slot.people) or not slot.is_personal


def ends_something(clause: Clause) -> bool:
    columns = (column for one in clause.marks for column in (one.ends, one.closings, one.renewals))
    return is_negated(clause.text, clause.marks) or any(c.search(clause.text) for c in columns)


def judge_clause(claim: Claimed, clause: Clause) -> Stance:
    """The first reason against it; with none it is stated."""
    if clause.is_asked and claim.category != "instruction":
        return "question"
    if clause.is_imagined or _imagines(claim, clause):
        return "hypothetical"
    place = _place_of(claim.value, clause.text)
    about = "stated" if claim.category == "instruction" else _about(claim, clause, place)
    if about == "someone_else":
        return about
    if _is_denied(claim, clause, place):
        return "negated"
    if _has_ended(claim, clause):
        return "ended"
    if about == "doubtful" or clause.is_conditional or _is_hedged(claim, clause):
        return "doubtful"
    return "stated"


def _imagines(claim: Claimed, clause: Clause) -> bool:
    """A wish ("I'd like short answers") is none for how one wants to be answered."""
    is_wish = claim.category in ("preference", "instruction")
    texts = (
        (one, one.polite.sub(" ", clause.text) if is_wish else clause.text) for one in clause.marks
    )
    return any(one.hypothetical.search(text) for one, text in texts)


def _about(claim: Claimed, clause: Clause, place: int) -> Stance:
    slot = _read_slot(claim.key)
    named = _people_before(clause, place)
    if named & slot.people:
        return _about_relation(claim, slot, named)
    if named - {"pet"} or (named and slot.is_personal):
        return _of_another(clause, slot, place)
    if slot.is_personal and _is_named_subject(claim, clause, place):
        return "someone_else"
    if clause.subject == "other" and not named:
        return _of_pronoun(claim, clause, slot)
    return "stated"


def _about_relation(claim: Claimed, slot: Slot, named: frozenset[str]) -> Stance:
    """That there is a sister, and her name, is the user's own; her age may be worth keeping."""
    last = normalize_key(claim.key).rpartition("_")[2]
    own = slot.is_name or bool(_relations_in(frozenset((last,))))
    return "stated" if own or named == {"pet"} else "doubtful"


def _of_another(clause: Clause, slot: Slot, place: int) -> Stance:
    """ "I visited my sister in Rome" may tell of either; "my sister is in Rome" does not."""
    own_again = any(own_place(one, clause.text) < place for one in clause.marks)
    owned = any(word in clause.text.split() for word in slot.key.split("_"))
    if clause.subject == "own" and slot.is_name and slot.is_personal:
        return "someone_else"
    if own_again or clause.subject_is_guessed or (owned and not slot.is_personal):
        return "stated" if owned and not slot.is_personal else "doubtful"
    return "someone_else"


def _of_pronoun(claim: Claimed, clause: Clause, slot: Slot) -> Stance:
    if clause.subject_is_guessed:
        return "doubtful" if slot.is_personal else "stated"
    if slot.is_personal:
        return "someone_else"
    if slot.people:
        return _about_relation(claim, slot, slot.people)
    return "stated" if _mentions(clause, slot) else "doubtful"


def _mentions(clause: Clause, slot: Slot) -> bool:
    return any(word in clause.text.split() for word in slot.key.split("_"))


def _people_before(clause: Clause, place: int) -> frozenset[str]:
    return frozenset(
        relation
        for one in clause.marks
        for relation, pattern in one.people.items()
        if (match := pattern.search(clause.text)) and match.start() < max(place, 1)
    )


def _is_named_subject(claim: Claimed, clause: Clause, place: int) -> bool:
    """ "Tom lives in Paris"; and "my boat is called Rex", which is not the user's name."""
    if clause.subject == "own":
        return False
    before = clause.text[:place]
    if CANONICAL.get(normalize_key(claim.key)) == "name":
        owned = any(one.possessive.search(before) for one in clause.marks)
        named = any(one.name_nouns.search(before) for one in clause.marks)
        if owned and not named:
            return True
    return any(_starts_with_bearer(one, clause.text, place) for one in clause.marks)


def _starts_with_bearer(marks: Marks, text: str, place: int) -> bool:
    """A word that is none of the language's frequent ones, then a verb in the third person."""
    match = re.match(r"(\w+(?:'s)?) +", text)
    if not match or match.end() > place:
        return False
    is_frequent = marks.common.fullmatch(match[1]) or marks.name_nouns.fullmatch(match[1])
    if is_frequent or marks.possessive.search(text[:place]) or marks.own.search(text):
        return False
    return match[1].endswith("'s") or bool(marks.other_verbs.match(text, match.end()))


def _is_denied(claim: Claimed, clause: Clause, place: int) -> bool:
    """What is denied is no fact, unless the value or its key denies it, too."""
    if _is_negative(claim):
        return claim.category == "preference" and _is_liked(clause) and bool(claim.value)
    dislikes = any(
        one.dislikes.search(clause.text) and one.likes.search(plain(claim.value))
        for one in clause.marks
    ) and not any(one.likes.search(one.no_negations.sub(" ", clause.text)) for one in clause.marks)
    if dislikes:
        return True
    denial = clause.denial or next(
        (clause.text for one in clause.marks if _negates(one, clause.text, place)), ""
    )
    return bool(denial) and (claim.category != "constraint" or bool(_TRAITS.search(denial)))


def _is_liked(clause: Clause) -> bool:
    return any(one.likes.search(clause.text) for one in clause.marks) and not any(
        one.negations.search(clause.text) or one.dislikes.search(clause.text)
        for one in clause.marks
    )


def _negates(marks: Marks, text: str, place: int) -> bool:
    """Before the value; after it where that comes first: "Rome is not my home"."""
    is_first = own_place(marks, text) > place
    reach = text if is_first or marks.language.negates_after else text[:place]
    return is_negated(reach, (marks,))


def _is_negative(claim: Claimed) -> bool:
    words = _TRAITS.sub(" ", plain(f"{claim.value} {claim.key.replace('_', ' ')}"))
    return any(
        one.negations.search(words) or one.dislikes.search(words) for one in _languages(words)
    )


def _languages(words: str) -> tuple[Marks, ...]:
    """Keys are English, values in the user's own language."""
    return (list_marks()[0], *recognise(words))


def _has_ended(claim: Claimed, clause: Clause) -> bool:
    """ "I sold the car" states no car; "I left Rome and live in Oslo now" states Oslo."""
    value = plain(claim.value)
    return any(
        one.ends.search(clause.text)
        and not one.renewals.search(one.ends.sub(" ", clause.text))
        and not one.ends.search(value)
        for one in clause.marks
    )


def _is_hedged(claim: Claimed, clause: Clause) -> bool:
    return any(
        one.hedges.search(one.polite.sub(" ", clause.text))
        and not one.hedges.search(plain(claim.value))
        for one in clause.marks
    )


def _read_slot(key: str) -> Slot:
    known = normalize_key(key)
    known = CANONICAL.get(known, known)
    words = frozenset(known.split("_"))
    return Slot(
        key=known,
        is_personal=known in _TYPED or known in _PERSONAL,
        is_name=bool(_NAME_KEY.search(known)),
        people=_relations_in(words),
    )


def _relations_in(words: frozenset[str]) -> frozenset[str]:
    """In English, or in the user's language."""
    return frozenset(
        relation
        for one in list_marks()
        for relation, pattern in one.people.items()
        if relation in words or any(pattern.fullmatch(word) for word in words)
    )


def _place_of(value: str, text: str) -> int:
    """Where a value begins in a clause, or its end."""
    parts = [part.word.text for part in list_parts(value)]
    places = [
        match.start()
        for match in re.finditer(r"\w+", text)
        for part in parts
        if fold(match[0]).startswith(part[: max(3, len(part) - 2)])
    ]
    if places:
        return min(places)
    found = text.find(plain(value))
    return found if found >= 0 else len(text)
