"""What a clause makes of a value: stated of the user, or not."""

from __future__ import annotations

import functools
import re

from shared.policy.facts.grounding.evidence import list_parts, overlap
from shared.policy.facts.grounding.folding import fold, read_words
from shared.policy.facts.proposals import Claimed
from shared.policy.facts.stance.clauses import Clause, is_negated, own_place
from shared.policy.facts.stance.marks import Marks, list_marks, plain, recognise
from shared.policy.facts.stance.person import Stance, about, people_before, read_slot

BEST_FIRST: tuple[Stance, ...] = (
    "stated", "doubtful", "ended", "negated", "misplaced", "someone_else", "hypothetical",
    "question",
)  # fmt: skip

WORDS_TO_A_JOB = 2
# Small models name the category for want of a slot.
CATEGORIES = ("preference", "constraint", "instruction")
HOMES = ("home_city", "home_country")
JOBS = ("employer", "occupation")
# A trait that one has or has not, where "not" leaves nothing: "not allergic to nuts".
_TRAITS = re.compile(
    r"\w*(?:allerg|alerg|аллерг|intoler|unverträg|diabet|vegetar|végétar|vegan)\w*"
    r"|过敏|アレルギー|حساسية|एलर्जी"
)


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
    slot = read_slot(claim.key)
    named = people_before(clause, len(clause.text))
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
    person = "stated" if claim.category == "instruction" else about(claim, clause, place)
    if person == "someone_else":
        return person
    if _is_misplaced(claim, clause):
        return "misplaced"
    if _is_denied(claim, clause, place):
        return "negated"
    if _has_ended(claim, clause):
        return "ended"
    if person == "doubtful" or clause.is_conditional or _is_hedged(claim, clause):
        return "doubtful"
    key = read_slot(claim.key).key
    if key in CATEGORIES or (key in JOBS and _is_far_from_work(clause, place)):
        return "doubtful"
    return "stated"


def _imagines(claim: Claimed, clause: Clause) -> bool:
    """A wish ("I'd like short answers") is none for how one wants to be answered."""
    is_wish = claim.category in ("preference", "instruction")
    texts = (
        (one, one.polite.sub(" ", clause.text) if is_wish else clause.text) for one in clause.marks
    )
    return any(one.hypothetical.search(text) for one, text in texts)


def _is_misplaced(claim: Claimed, clause: Clause) -> bool:
    """ "I work at Halden Steel" tells no home, "I live in Rome" no employer."""
    key = read_slot(claim.key).key
    if key == "identity":  # a category, and no slot: it would hold anything
        return True
    homes = any(one.homes.search(clause.text) for one in clause.marks)
    jobs = any(one.jobs.search(clause.text) for one in clause.marks)
    if key in HOMES:
        return jobs and not homes
    return key in JOBS and homes and not jobs


def _is_far_from_work(clause: Clause, place: int) -> bool:
    """ "I went to a support group" tells no job; "I'm a trained nurse" does, and "I work nights".

    Told without a word for work, it stands right after the user.
    """
    if any(one.jobs.search(clause.text) for one in clause.marks) or not clause.marks:
        return False
    before = clause.text[:place]
    ends = [match.end() for one in clause.marks for match in one.own.finditer(before)]
    if any(one.language.is_unspaced for one in clause.marks) or not ends:
        return False
    return len(before[max(ends) :].split()) > WORDS_TO_A_JOB


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
