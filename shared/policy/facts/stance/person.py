"""Whom a clause is about. That there is a sister is the user's own fact, her age is not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from shared.policy.facts.names import CANONICAL
from shared.policy.facts.proposals import Claimed
from shared.policy.facts.slots import normalize_key
from shared.policy.facts.stance.clauses import Clause, own_place
from shared.policy.facts.stance.marks import Marks, list_marks

#: `stated` counts, `doubtful` waits for the user; the others are why it is no fact.
Stance = Literal[
    "stated",
    "doubtful",
    "question",
    "hypothetical",
    "someone_else",
    "negated",
    "ended",
    "misplaced",
]

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
_NAME_KEY = re.compile(r"(?:^|_)names?$")


@dataclass(frozen=True, kw_only=True)
class Slot:
    """A claim's key, read: `people` are the relations that it names."""

    key: str
    is_personal: bool
    is_name: bool
    people: frozenset[str]


def about(claim: Claimed, clause: Clause, place: int) -> Stance:
    slot = read_slot(claim.key)
    named = people_before(clause, place)
    if named & slot.people:
        return _about_relation(claim, slot, named)
    if named - {"pet"} or (named and slot.is_personal):
        return _of_another(clause, slot, place)
    if _is_named_subject(claim, clause, place):
        return "someone_else" if slot.is_personal or not _mentions(clause, slot) else "stated"
    if slot.is_personal and _is_about_a_thing(clause, slot, place):
        return "someone_else"
    if slot.key == "name" and not _names_the_user(clause):
        return _of_nobody(claim, clause)
    if clause.subject == "other" and not named:
        return _of_pronoun(claim, clause, slot)
    return "stated"


def _names_the_user(clause: Clause) -> bool:
    """ "I'm Mel", "name: Mel"; not "hey Mel", which is whoever is greeted."""
    return any(
        column.search(clause.text)
        for one in clause.marks
        for column in (one.own, one.possessive, one.name_nouns)
    )


def _of_nobody(claim: Claimed, clause: Clause) -> Stance:
    """A name that stands for itself may be anybody's; Japanese needs no word for "I"."""
    is_all = clause.text.strip(" .,!") == claim.value.casefold().strip()
    may_drop = any(one.language.is_unspaced for one in clause.marks)
    if not clause.marks:
        return "stated"  # nothing but the name, or a language without a table
    return "doubtful" if is_all or may_drop else "someone_else"


def _is_about_a_thing(clause: Clause, slot: Slot, place: int) -> bool:
    """ "The capital of France is Paris" tells of no home; "home is Paris" does."""
    if clause.subject == "own" or _mentions(clause, slot):
        return False
    return any(_has_other_subject(one, clause.text, place) for one in clause.marks)


def _has_other_subject(marks: Marks, text: str, place: int) -> bool:
    """Words before a verb in the third person, of which none is the user's."""
    owned = (marks.own, marks.possessive, marks.name_nouns, marks.homes, marks.jobs)
    if any(column.search(text) for column in owned):
        return False
    verb = marks.other_verbs.search(text)
    return verb is not None and 0 < verb.start() < place


def _about_relation(claim: Claimed, slot: Slot, named: frozenset[str]) -> Stance:
    """That there is a sister, and her name, is the user's own; her age may be worth keeping."""
    last = normalize_key(claim.key).rpartition("_")[2]
    names_them = bool(_relations_in(frozenset((last,)))) and not claim.value.islower()
    own = slot.is_name or names_them
    return "stated" if own or named == {"pet"} else "doubtful"


def names_known_person(
    claim: Claimed, heard: Sequence[tuple[Clause, ...]], held: Sequence[str]
) -> bool:
    """A `sister_name` needs a sister: some message names her, or she is on record.

    Where a language has no table this cannot be told.
    """
    slot = read_slot(claim.key)
    clauses = [clause for each in heard for clause in each]
    if not slot.people or held or not all(clause.marks for clause in clauses):
        return True
    return any(people_before(clause, len(clause.text)) & slot.people for clause in clauses)


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


def people_before(clause: Clause, place: int) -> frozenset[str]:
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
    first = re.match(r"\w+", clause.text)
    if first and any(_is_no_bearer(one, first[0]) for one in clause.marks):
        return False
    return any(_starts_with_bearer(one, clause.text, place) for one in clause.marks)


def _is_no_bearer(marks: Marks, word: str) -> bool:
    """ "It's on Thursday", "home is Lisbon"."""
    columns = (marks.common, marks.name_nouns, marks.homes, marks.jobs)
    return any(column.fullmatch(word) for column in columns)


def _starts_with_bearer(marks: Marks, text: str, place: int) -> bool:
    """A word, then a verb in the third person."""
    match = re.match(r"(\w+(?:'s)?) +", text)
    if not match or match.end() > place:
        return False
    if marks.possessive.search(text[:place]) or marks.own.search(text):
        return False
    return match[1].endswith("'s") or bool(marks.other_verbs.match(text, match.end()))


def read_slot(key: str) -> Slot:
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
