"""Judges whether a clause states a value of the user."""

from __future__ import annotations

import re
from operator import attrgetter

from shared.policy.facts.grounding.evidence import count_overlap, list_parts
from shared.policy.facts.grounding.folding import fold, read_words
from shared.policy.facts.grounding.vocabulary import (
    FILLERS,
)
from shared.policy.facts.proposals import Claimed, Stance
from shared.policy.facts.stance import elsewhere
from shared.policy.facts.stance.clauses import Clause, is_negated
from shared.policy.facts.stance.patterns import Patterns, list_languages, plain, recognise
from shared.policy.facts.stance.person import judge_person, people_before
from shared.policy.facts.stance.places import is_of_other_place, leaves_place_open, offset_of
from shared.policy.facts.stance.subject import own_offset
from shared.policy.facts.stance.tense import judge_time
from shared.policy.facts.stance.topics import read_topic
from shared.policy.text_cache import cached_by_text

# Small models use the category, or the example's key, when they find no better name.
CATEGORIES = ("identity", "preference", "constraint", "instruction", "slot")
#: "anything but", in all languages.
_EXCEPTS = re.compile(r"(?:but|sauf|menos|tranne|außer|ausser|behalve|только не)$")
# Traits that are constraints only if the user has them: "not allergic to nuts" is none.
_TRAITS = re.compile(
    r"\w*(?:allerg|alerg|аллерг|intoler|unverträg|diabet|vegetar|végétar|vegan)\w*"
    r"|素食|纯素|ベジタリアン|ヴィーガン|채식|вегетар\w*|веган\w*|过敏|アレルギー|حساسية|एलर्जी"
)


def choose_clauses(value: str, clauses: tuple[Clause, ...]) -> list[Clause]:
    """The clauses with the most words of a value. Empty: no clause has one."""
    parts = list_parts(value)
    counts = [count_overlap(parts, clause_words(clause)) for clause in clauses]
    most = max(counts, default=0)
    return [c for c, count in zip(clauses, counts, strict=True) if count == most and most]


@cached_by_text(2048, attrgetter("text"))
def clause_words(clause: Clause) -> frozenset[str]:
    return frozenset(word.text for word in read_words(fold(clause.text)))


def may_end(claim: Claimed, clause: Clause) -> bool:
    """Whether the clause is about the user or the claim's topic, and is no question or guess."""
    if (
        clause.is_asked
        or clause.is_imagined
        or _imagines(claim, clause)
        or _is_hedged(claim, clause)
    ):
        return False
    topic = read_topic(claim.key)
    people = people_before(clause, len(clause.text))
    return (
        clause.subject != "other"
        or bool(people & topic.people)
        or any(own_offset(each, clause.text) < len(clause.text) for each in clause.languages)
    )


def judge_clause(claim: Claimed, clause: Clause) -> Stance:
    """The first objection to the claim. Without an objection: `stated` or `doubtful`."""
    objection = _object_to_form(claim, clause)
    if objection:
        return objection
    offset = offset_of(claim.value, clause.text)
    person = "stated" if claim.category == "instruction" else judge_person(claim, clause, offset)
    if person == "someone_else":
        return person
    if _is_misplaced(claim, clause):
        return "misplaced"
    if _is_denied(claim, clause, offset):
        return "negated"
    if _has_ended(claim, clause):
        return "ended"
    time = judge_time(claim, clause)
    is_conditional = clause.is_conditional and not (_is_new(clause) or _is_to_remember(clause))
    is_open = person == "doubtful" or is_conditional or clause.is_reported or time == "other"
    if is_open or _is_hedged(claim, clause):
        return "doubtful"
    if leaves_place_open(claim, clause, offset):
        return "doubtful"
    return "limited" if time == "until" else "stated"


def _imagines(claim: Claimed, clause: Clause) -> bool:
    """Whether the clause is hypothetical. Polite wishes state preferences and instructions."""
    is_wish = claim.category in ("preference", "instruction")
    texts = (
        (
            language,
            language.emphatic.sub(
                " ", language.polite.sub(" ", clause.text) if is_wish else clause.text
            ),
        )
        for language in clause.languages
    )
    return any(language.hypothetical.search(text) for language, text in texts)


def _object_to_form(claim: Claimed, clause: Clause) -> Stance | None:
    """An objection to how the clause is said, whatever it says."""
    if clause.is_corrected:
        return "corrected"
    if claim.category == "instruction":
        if _asks_about_text(clause):
            return "question"
    elif clause.is_asked and not _asks_to_note(clause):
        return "question"
    if clause.is_imagined or _imagines(claim, clause) or _is_mocked(claim, clause):
        return "hypothetical"
    return None


def _asks_about_text(clause: Clause) -> bool:
    """ "Sum up this article in five points" is about one text, and no instruction for others."""
    return any(
        language.points.search(clause.text)
        and (clause.is_asked or language.tasks.match(clause.text))
        and not language.frames.search(clause.text)  # "always"
        and not language.renewals.search(clause.text)  # "from now on"
        for language in clause.languages
    )


def adds_value(claim: Claimed, clause: Clause) -> bool:
    """ "I also like techno": what held before holds, too."""
    behind = f"{plain(claim.value)}も"
    return behind in clause.text or any(
        language.additions.search(clause.text) for language in clause.languages
    )


def _asks_to_note(clause: Clause) -> bool:
    """ "Could you note that I wear XL?" states it."""
    return any(
        language.remembers.search(clause.text) and language.first_person.search(clause.text)
        for language in clause.languages
    )


def _is_mocked(claim: Claimed, clause: Clause) -> bool:
    """ "I'm anything but vegan", "people think I'm a doctor".

    "I eat anything but fish" says what the user does not eat.
    """
    return any(
        not (_EXCEPTS.search(mock[0]) and _is_negative(claim))
        for language in clause.languages
        for mock in language.mocks.finditer(language.emphatic.sub(" ", clause.text))
    )


def _is_misplaced(claim: Claimed, clause: Clause) -> bool:
    """ "I work at Halden Steel" does not state a home; "I live in Rome" does not state a job."""
    key = read_topic(claim.key).key
    if key in CATEGORIES:  # it would accept any value
        return True
    return is_of_other_place(claim, clause)


def _is_denied(claim: Claimed, clause: Clause, offset: int) -> bool:
    """Whether the clause denies the claim. "I like tea" denies the preference "no tea"."""
    if _is_negative(claim):
        return claim.category == "preference" and _is_liked(clause) and bool(claim.value)
    dislikes = any(
        language.dislikes.search(clause.text) and language.likes.search(plain(claim.value))
        for language in clause.languages
    ) and not any(
        language.likes.search(language.no_negations.sub(" ", clause.text))
        for language in clause.languages
    )
    if dislikes:
        return True
    denial = ("" if _is_new(clause) else clause.denial) or next(
        (clause.text for language in clause.languages if _negates(language, clause.text, offset)),
        _part_with(clause.text, offset) if not clause.languages else "",
    )
    return bool(denial) and (claim.category != "constraint" or bool(_TRAITS.search(denial)))


def _part_with(text: str, offset: int) -> str:
    """The denied part of a clause that the value stands in: "mam psa, [i] nie znoszę zimy"."""
    for part in elsewhere.list_parts(text):
        offset -= len(part)
        if offset < 0:
            return part if is_negated(part, ()) else ""
    return text if is_negated(text, ()) else ""


def _is_to_remember(clause: Clause) -> bool:
    """ "If you cook, keep in mind that I'm coeliac"."""
    return any(language.remembers.search(clause.text) for language in clause.languages)


def _is_new(clause: Clause) -> bool:
    """Whether it says "now", or another word for a change."""
    return any(language.renewals.search(clause.text) for language in clause.languages)


def _is_liked(clause: Clause) -> bool:
    return any(language.likes.search(clause.text) for language in clause.languages) and not any(
        language.negations.search(clause.text) or language.dislikes.search(clause.text)
        for language in clause.languages
    )


def _negates(language: Patterns, text: str, offset: int) -> bool:
    """Whether a negation precedes the value, or follows it, as in "Rome is not my home"."""
    is_first = own_offset(language, text) > offset
    link = language.ands.search(text, offset)  # "… in Rome and don't want to leave"
    behind = text[: link.start()] if link else text
    reach = behind if is_first or language.table.negates_after else text[:offset]
    return is_negated(reach, (language,))


def _is_negative(claim: Claimed) -> bool:
    words = _TRAITS.sub(" ", plain(f"{claim.value} {claim.key.replace('_', ' ')}"))
    languages = (list_languages()[0], *recognise(words))  # English for the key
    return any(
        language.negations.search(words) or language.dislikes.search(words)
        for language in languages
    )


def _has_ended(claim: Claimed, clause: Clause) -> bool:
    """ "I sold the car" ends a fact. "I left Rome and live in Oslo now" states a new one."""
    value = plain(claim.value)
    if claim.category == "preference" and _is_negative(claim):
        return False  # "I can't stand olives any more"
    offset = offset_of(claim.value, clause.text)
    return any(
        (end := language.ends.search(clause.text)) is not None
        and not _begins_something(language, clause.text[end.end() : offset])
        and not _begins_something(language, clause.text[offset : end.start()])
        and not language.renewals.search(language.ends.sub(" ", clause.text))
        and not language.ends.search(value)
        for language in clause.languages
    )


def _begins_something(language: Patterns, between: str) -> bool:
    """Whether "and" and a verb stand there: "I quit judo [and took up] fencing"."""
    link = language.ands.search(between)
    return link is not None and any(
        fold(word) not in FILLERS for word in between[link.end() :].split()
    )


def _is_hedged(claim: Claimed, clause: Clause) -> bool:
    return any(
        language.hedges.search(language.polite.sub(" ", clause.text))
        and not language.hedges.search(plain(claim.value))
        for language in clause.languages
    )
