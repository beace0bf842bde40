"""Judges whether a clause states a value of the user."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import attrgetter

from shared.policy.facts.grounding.evidence import count_overlap, list_parts
from shared.policy.facts.grounding.folding import fold, read_words
from shared.policy.facts.grounding.vocabulary import (
    FILLERS,
    MONTH_UNITS,
    NUMBERS,
    WEEKS,
    YEARS,
)
from shared.policy.facts.proposals import Claimed, Stance
from shared.policy.facts.stance.clauses import Clause, is_negated
from shared.policy.facts.stance.patterns import Patterns, list_languages, plain, recognise
from shared.policy.facts.stance.person import judge_person, people_before
from shared.policy.facts.stance.subject import own_offset
from shared.policy.facts.stance.tense import judge_time
from shared.policy.facts.stance.topics import read_topic
from shared.policy.text_cache import cached_by_text

MAX_WORDS_BETWEEN = 2  # the user and the job or home
# Small models use the category, or the example's key, when they find no better name.
CATEGORIES = ("identity", "preference", "constraint", "instruction", "slot")
#: "for twelve years", "seit zwölf Jahren".
SPANS_OF_TIME = FILLERS | WEEKS | MONTH_UNITS | YEARS | frozenset(NUMBERS)
#: Between "work" and where.
_AT_WORK = re.compile(
    r"\b(?:at|for|bei|für|bij|voor|chez|pour|presso|para|por|в|на)\s+(?:the\s+|der\s+|die\s+|la\s+|el\s+)?$"
)
#: "anything but", in all languages.
_EXCEPTS = re.compile(r"(?:but|sauf|menos|tranne|außer|ausser|behalve|только не)$")
HOMES = ("home_city", "home_country")
JOBS = ("employer", "occupation")
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
    offset = _offset_of(claim.value, clause.text)
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
    if time == "other":
        return "doubtful"
    is_conditional = clause.is_conditional and not _is_new(clause)
    if person == "doubtful" or is_conditional or _is_hedged(claim, clause):
        return "doubtful"
    key = read_topic(claim.key).key
    if key in JOBS and _is_far(clause, offset, attrgetter("jobs")):
        return "doubtful"
    if key in HOMES and _is_far(clause, offset, attrgetter("homes")):
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
    if clause.is_asked and claim.category != "instruction" and not _asks_to_note(clause):
        return "question"
    if clause.is_imagined or _imagines(claim, clause) or _is_mocked(claim, clause):
        return "hypothetical"
    return None


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
    jobs = any(language.jobs.search(clause.text) for language in clause.languages)
    if key in HOMES:
        homes = any(language.homes.search(clause.text) for language in clause.languages)
        return jobs and not homes
    if key not in JOBS or jobs:
        return False
    offset = _offset_of(claim.value, clause.text)
    return any(_is_of_home(language, clause.text, offset) for language in clause.languages)


def _is_of_home(language: Patterns, text: str, offset: int) -> bool:
    """Whether the word for a home is said of the value, which begins at `offset`.

    In "a nurse living in Rome", and in "I live in Rome and am a nurse", it is not said of "nurse".
    """
    if language.table.ends_with_verb:
        return bool(language.homes.search(text, offset))
    before = text[:offset]
    homes = list(language.homes.finditer(text if language.table.negates_after else before))
    return bool(homes) and not language.ands.search(before, homes[0].end())


def names_workplace(claim: Claimed, clause: Clause) -> bool:
    """Whether the claim calls it an occupation, and the clause a place: "I work at Bosch"."""
    if read_topic(claim.key).key != "occupation":
        return False
    return bool(_AT_WORK.search(clause.text[: _offset_of(claim.value, clause.text)]))


def _is_far(clause: Clause, offset: int, topic: Callable[[Patterns], re.Pattern[str]]) -> bool:
    """Whether the clause has no word for work (or a home), and "I" is far from the value.

    "I went to a support group" states no job; "I'm a trained nurse" and "I work nights" do. "I
    spent the weekend in York" states no home.
    """
    if any(topic(language).search(clause.text) for language in clause.languages) or (
        not clause.languages
    ):
        return False
    before = clause.text[:offset]
    ends = [
        match.end()
        for language in clause.languages
        for match in language.first_person.finditer(before)
    ]
    if any(language.table.is_unspaced for language in clause.languages) or not ends:
        return False
    between = [fold(word) for word in before[max(ends) :].split()]
    return sum(word not in SPANS_OF_TIME for word in between) > MAX_WORDS_BETWEEN


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
        clause.text if not clause.languages and is_negated(clause.text, ()) else "",
    )
    return bool(denial) and (claim.category != "constraint" or bool(_TRAITS.search(denial)))


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
    reach = text if is_first or language.table.negates_after else text[:offset]
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
    offset = _offset_of(claim.value, clause.text)
    return any(
        (end := language.ends.search(clause.text)) is not None
        and not _begins_something(language, clause.text[end.end() : offset])
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


def _offset_of(value: str, text: str) -> int:
    """The offset of a value in a clause. If it is not found, the clause's length."""
    parts = [part.word.text for part in list_parts(value)]
    offsets = [
        match.start()
        for match in re.finditer(r"\w+", text)
        for part in parts
        if fold(match[0]).startswith(part[: max(3, len(part) - 2)])
    ]
    if offsets:
        return min(offsets)
    offset = text.find(plain(value))
    return offset if offset >= 0 else len(text)
