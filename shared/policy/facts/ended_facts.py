"""Proposals with `retracts`: the model says that something is no longer true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from shared.policy.facts.grounding.evidence import (
    Part,
    count_overlap,
    list_parts,
    measure_support,
)
from shared.policy.facts.grounding.folding import fold, read_words
from shared.policy.facts.grounding.indexed_text import IndexedText
from shared.policy.facts.grounding.vocabulary import (
    DAYS,
    FILLERS,
    MONTH_UNITS,
    MONTHS,
    WEEKDAYS,
    WEEKS,
    YEARS,
)
from shared.policy.facts.proposals import Proposal, Ruling
from shared.policy.facts.stance.clauses import Clause, is_negated
from shared.policy.facts.stance.judgement import clause_words, may_end
from shared.policy.facts.stance.subject import own_offset
from shared.policy.facts.utterances import Utterance, find_support

# A value has no day, but `IndexedText` needs one. Not `date.min`: earlier days must exist.
NO_DAY = date(1000, 1, 1)
MAX_END_WORDS = 8
#: When something ended: "on Sunday", "last year".
TIMES = frozenset((*WEEKDAYS, *DAYS, *MONTHS)) | WEEKS | MONTH_UNITS | YEARS | FILLERS


def is_end(proposal: Proposal, recorded: Sequence[str], utterances: Sequence[Utterance]) -> bool:
    """Whether a fact ends without a replacement. `recorded` are the values on record in its slot.

    A new value replaces the old one ("we renamed him Max"), unless its message denies or ends it.
    """
    if not proposal.value or _is_recorded(proposal, recorded):
        return True
    support = find_support(proposal, utterances)
    return support is None or support.stance in ("negated", "ended")


def check_end(
    proposal: Proposal,
    recorded: Sequence[str],
    utterances: Sequence[Utterance],
    *,
    is_agreed: bool,
) -> Ruling:
    """Accept the end if a message says that something ended, and names it or is the cited one.

    `is_agreed`: the model says that the user states it, now.
    """
    about = [" ".join([proposal.value, *recorded]), proposal.key.replace("_", " ")]
    is_agreed = is_agreed and proposal.category != "constraint"  # what may harm ends in words alone
    telling = [each for each in utterances if _tells_end(each, about, proposal, is_agreed)]
    if not telling:
        return Ruling(proposal=proposal, outcome="ungrounded")
    message = max(
        (each.message for each in telling),
        key=lambda message: (message.sequence_number == proposal.seq, message.turn),
    )
    value = "" if _is_recorded(proposal, recorded) else proposal.value
    ended = replace(proposal, value=value, seq=message.sequence_number)
    is_blind = not any(clause.languages for each in telling for clause in each.clauses)
    return Ruling(proposal=ended, outcome="stated", is_blind=is_blind)


def _tells_end(
    utterance: Utterance, about: Sequence[str], proposal: Proposal, is_agreed: bool
) -> bool:
    """Whether the message says that something ended. `about`: the fact's values, and its key.

    In a language without a table it is enough that a clause has one of these words.
    """
    if utterance.is_play:
        return False
    clauses = [
        clause
        for clause in utterance.clauses
        if may_end(proposal, clause) and not _is_passing(clause)
    ]
    values, parts = list_parts(about[0]), list_parts(" ".join(about))
    naming = [clause for clause in clauses if count_overlap(parts, clause_words(clause))]
    if any(_is_end_of_next(each, after) for each, after in pairwise(clauses) if each in naming):
        return True
    if not any(clause.languages for clause in clauses):
        return any(not _begins_with(clause, values) for clause in naming)
    is_cited = utterance.message.sequence_number == proposal.seq
    if naming or not is_cited:
        return any(_ends_something(clause, parts, values, is_agreed=is_agreed) for clause in naming)
    return any(_names_end(clause) for clause in clauses)


def _is_recorded(proposal: Proposal, recorded: Sequence[str]) -> bool:
    return any(_is_like(proposal.value, value) for value in recorded)


def _is_like(value: str, other_value: str) -> bool:
    """Whether one value contains the other, as "a blue Skoda" contains "Skoda"."""
    if not value or not other_value:
        return False
    return "whole" in (
        measure_support(value, IndexedText(other_value, NO_DAY)),
        measure_support(other_value, IndexedText(value, NO_DAY)),
    )


def _ends_something(
    clause: Clause, about: Sequence[Part], values: Sequence[Part], *, is_agreed: bool
) -> bool:
    """Whether the clause, which has words of `about`, ends the thing.

    "I sold the car" does. The ways to end something are too many to list, so it is enough that
    the model is sure (`is_agreed`). A denial ends it only if it says no more than that:
    "I'm not allergic to nuts any more", but not "no nuts, they are too expensive". With a word for
    an end one word more may say what the user was: "Je ne suis plus abonnée à Libération".
    What the thing itself does ends it in such words alone: "the car is sold", but not "the car
    broke down again".
    """
    if is_negated(clause.text, clause.languages):
        more = _count_more(clause, about)
        names_value = bool(count_overlap(values, clause_words(clause)))
        is_own = clause.subject == "own" and names_value and _names_end(clause)
        return more == 0 or (more == 1 and is_own)
    has_word = any(
        column.search(clause.text)
        for language in clause.languages
        for column in (language.ends, language.closings, language.renewals)
    )
    if _begins_with(clause, values):
        is_unspaced = any(language.table.is_unspaced for language in clause.languages)
        is_all = _names_end(clause) if is_unspaced else _count_more(clause, about, TIMES) == 0
        return has_word and is_all
    return is_agreed or has_word


def _begins_with(clause: Clause, values: Sequence[Part]) -> bool:
    """Whether the thing is the subject: "the Owls lost again", but not "the Corsa I sold"."""
    if any(own_offset(each, clause.text) < len(clause.text) for each in clause.languages):
        return False
    words = [word for word in read_words(fold(clause.text)) if word.text not in FILLERS]
    return bool(words) and bool(count_overlap(values, frozenset((words[0].text,))))


def _is_passing(clause: Clause) -> bool:
    """ "I'm not playing tonight", "I'm done with work for today": nothing has ended for good."""
    return any(language.passing.search(clause.text) for language in clause.languages)


def _is_end_of_next(clause: Clause, after: Clause) -> bool:
    """ "Noor and | I split up": the end stands in the next clause, which names nothing new."""
    return len(after.text.split()) <= MAX_END_WORDS and _names_end(after)


def _names_end(clause: Clause) -> bool:
    """Whether the clause has a word for an end: "any more", "sold"."""
    return any(language.ends.search(clause.text) for language in clause.languages)


def _count_more(clause: Clause, about: Sequence[Part], skipped: frozenset[str] = FILLERS) -> int:
    """How many telling words the clause has that are none of the thing's."""
    text = clause.text
    for language in clause.languages:
        for column in (
            language.ends, language.closings, language.first_person, language.verbs,
            language.negations, language.jobs, language.homes, language.likes, language.dislikes,
            language.anybody,
        ):  # fmt: skip
            text = column.sub(" ", text)
    words = [word for word in read_words(fold(text)) if word.text not in skipped]
    forms = frozenset(part.word.text for part in about)
    return sum(count_overlap(list_parts(word.text), forms) == 0 for word in words)
