"""Judges whether a clause is about the user or somebody else.

The user's sister and her name are facts about the user. The sister's age is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from shared.policy.facts.names import CANONICAL
from shared.policy.facts.proposals import Claimed
from shared.policy.facts.slots import normalize_key
from shared.policy.facts.stance.clauses import Clause
from shared.policy.facts.stance.owners import (
    is_anothers,
    is_anothers_thing,
    starts_with_name,
)
from shared.policy.facts.stance.patterns import LIKENED, Patterns
from shared.policy.facts.stance.subject import own_offset
from shared.policy.facts.stance.topics import Topic, list_relations, read_topic

_NARROWER = {
    "sibling": ("brother", "sister"),
    "child": ("son", "daughter"),
    "parent": ("mother", "father"),
}
_IT = re.compile(r"(?:it|es|ça|het)\s")
_IN_CARE = frozenset(("pet", "child", "son", "daughter"))
NEAR_CHARS = 30  # before a verb, in which its subject stands
#: "I live [with two] cats in Rome": the company of the user.
_WITH = re.compile(r"(?<!\w)(?:with|mit|avec|con|com|met|с|со|з|із)\s+(?:\w+\s+){0,2}$")
#: "who lives in Rome", "that Tom lives in Rome".
_RELATIVE = re.compile(
    r"^(?:who|that|der|die|das|dass|qui|que|che|dat|котор\w+|что)(?!\w)|(?<!\w)(?:who|qui|котор\w+)$"
)
#: `stated`: the value is the user's. `doubtful`: it may be. `someone_else`: it is not.
Person = Literal["stated", "doubtful", "someone_else"]


def judge_person(claim: Claimed, clause: Clause, offset: int) -> Person:
    """`offset` is where the value begins in the clause."""
    topic = read_topic(claim.key)
    people = _list_people(clause, topic, offset)
    names_others = people and not people & topic.people and clause.languages
    if is_anothers_thing(clause, topic, offset) or (
        topic.people and topic.is_name and names_others
    ):
        return "someone_else"
    if people & topic.people:
        if is_anothers(clause, topic, people):
            return "someone_else"
        return _judge_relation(claim, topic, people)
    if people - {"pet"} or (people and topic.is_personal):
        return _judge_with_relation_named(clause, topic, offset)
    if _has_named_subject(claim, clause, offset):
        return "someone_else" if topic.is_personal or not _mentions(clause, topic) else "stated"
    if topic.is_personal and _is_about_a_thing(clause, topic, offset):
        return "someone_else"
    if topic.is_users_name and not _names_the_user(clause):
        return _judge_bare_name(claim, clause)
    if clause.subject == "other" and not people:
        return _judge_pronoun(claim, clause, topic)
    return "doubtful" if topic.is_personal and _is_of_inner_clause(clause, offset) else "stated"


def _list_people(clause: Clause, topic: Topic, offset: int) -> frozenset[str]:
    """The relations that the clause says something of, be it after a name: "Ingrid is my mum"."""
    if topic.people and topic.is_name:
        return people_before(clause, len(clause.text))
    return people_before(clause, offset, counts_company=bool(topic.people) or topic.is_name)


def names_known_person(
    claim: Claimed,
    heard: Iterable[tuple[Clause, ...]],
    recorded: Sequence[str],
    *,
    is_agreed: bool,
) -> bool:
    """For a key such as `sister_name`: whether a message names a sister, or `recorded` has a value.

    Also true if a clause has no table for its language. Where the model is sure (`is_agreed`), it
    is enough that no other relation is named: "we have two kids, Ines and Matteo" is no sister.
    """
    topic = read_topic(claim.key)
    if not topic.people or recorded:
        return True
    clauses = [clause for each in heard for clause in each]
    if not all(clause.languages for clause in clauses):
        return True
    people_by_clause = [(clause, people_before(clause, len(clause.text))) for clause in clauses]
    if is_agreed and not any(people for _, people in people_by_clause):
        return True
    meant = topic.people.union(*(_NARROWER.get(each, ()) for each in topic.people))
    return any(
        people & meant and not is_anothers(clause, topic, people)
        for clause, people in people_by_clause
    )


def is_about_user(claim: Claimed, clause: Clause) -> bool:
    """Whether the clause names the user, the thing that the key names (also as "it"), or a change.

    A new value needs that to take the place of another one: "my budget is 900 euros" is not changed
    by "the one in the shop costs 1400 euros". Other languages do without a word for "I".
    """
    is_free = not clause.languages or any(not each.table.names_subject for each in clause.languages)
    is_answer = len(clause.text.split()) <= len(claim.value.split()) + 1
    if is_free or (clause.is_alone and is_answer):
        return True
    words = read_topic(claim.key).key.split("_")
    names_thing = any(word in words for word in clause.text.split()) or _IT.match(clause.text)
    return bool(names_thing) or any(
        column.search(clause.text)
        for each in clause.languages
        for column in (each.first_person, each.possessive, each.renewals, each.homes, each.jobs)
    )


def people_before(clause: Clause, offset: int, *, counts_company: bool = True) -> frozenset[str]:
    """The relations (sister, boss …) that are named before `offset`.

    Without `counts_company` "I live with two cats in Rome" names none.

    At the clause's beginning one is its subject, unless it says what the user is: "öğretmenim".
    """
    is_subject = clause.subject == "other"
    return frozenset(
        relation
        for language in clause.languages
        for relation, pattern in language.people.items()
        if (match := pattern.search(_without_likeness(language, clause.text)))
        and match.start() < max(offset, int(is_subject))
        and (counts_company or not _is_company(clause, match.start()))
    )


def _is_company(clause: Clause, start: int) -> bool:
    return clause.subject == "own" and bool(_WITH.search(clause.text[:start]))


def _without_likeness(language: Patterns, text: str) -> str:
    """Without those to whom the user is likened: "like my sister I'm a nurse"."""
    return LIKENED.sub(_blank, language.no_people.sub(_blank, text))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _judge_relation(claim: Claimed, topic: Topic, people: frozenset[str]) -> Person:
    """A relation and its name are facts about the user, and so is what is said of a child or a pet.

    Other facts about the relation may be.
    """
    last_word = normalize_key(claim.key).rpartition("_")[2]
    is_their_name = bool(list_relations([last_word])) and not claim.value.islower()
    is_own = topic.is_name or is_their_name or people <= _IN_CARE
    return "stated" if is_own else "doubtful"


def _judge_with_relation_named(clause: Clause, topic: Topic, offset: int) -> Person:
    """ "I visited my sister in Rome" may be about the user; "my sister is in Rome" is not."""
    if clause.subject == "own" and topic.is_name and topic.is_personal:
        return "someone_else"
    if _mentions(clause, topic) and not topic.is_personal:
        return "stated"
    user_acts = any(own_offset(each, clause.text) < offset for each in clause.languages)
    return "doubtful" if user_acts or clause.subject_is_guessed else "someone_else"


def _judge_pronoun(claim: Claimed, clause: Clause, topic: Topic) -> Person:
    """The subject is "he" or "she"."""
    if clause.subject_is_guessed:
        return "doubtful" if topic.is_personal else "stated"
    if topic.is_personal:
        return "someone_else"
    if topic.people:
        return _judge_relation(claim, topic, topic.people)
    return "stated" if _mentions(clause, topic) and not topic.is_name else "doubtful"


def _judge_bare_name(claim: Claimed, clause: Clause) -> Person:
    """A name alone may be anybody's. In Japanese and Chinese "I" may be left out."""
    is_all = clause.text.strip(" .,!") == claim.value.casefold().strip()
    if not clause.languages and clause.subject == "other":
        return "someone_else"
    if not clause.languages:
        # nothing but the name, or a language without a table; "Thanks, Nova" calls somebody
        return "stated" if clause.is_alone or not is_all else "doubtful"
    may_drop_subject = any(language.table.is_unspaced for language in clause.languages)
    return "doubtful" if is_all or may_drop_subject else "someone_else"


def _names_the_user(clause: Clause) -> bool:
    """ "I'm Mel" and "name: Mel" name the user; "hey Mel" does not."""
    return any(
        pattern.search(clause.text)
        for language in clause.languages
        for pattern in (language.first_person, language.possessive, language.name_nouns)
    )


def _is_of_inner_clause(clause: Clause, offset: int) -> bool:
    """Whether another's verb is nearer to the value than "I": "I heard she works at Bosch"."""
    before = clause.text[:offset]
    for language in clause.languages:
        own_end = max((match.end() for match in language.first_person.finditer(before)), default=0)
        if not own_end and clause.subject == "own" and _RELATIVE.match(clause.text):
            return True  # "Ich kenne jemanden, der in Rom wohnt"
        for verb in language.other_verbs.finditer(before, own_end):
            words = before[max(own_end, verb.start() - NEAR_CHARS) : verb.start()].rstrip()
            last_words = " ".join(words.split()[-2:])
            if _RELATIVE.search(last_words) or _ends_with(language.others, words):
                return True
    return False


def _ends_with(pattern: re.Pattern[str], text: str) -> bool:
    return any(match.end() == len(text) for match in pattern.finditer(text))


def _mentions(clause: Clause, topic: Topic) -> bool:
    """Whether the clause contains a word of the key."""
    return any(word in clause.text.split() for word in topic.key.split("_"))


def _is_about_a_thing(clause: Clause, topic: Topic, offset: int) -> bool:
    """ "The capital of France is Paris" is about a thing; "home is Paris" is about the user."""
    if clause.subject == "own" or _mentions(clause, topic):
        return False
    return any(_has_other_subject(language, clause.text, offset) for language in clause.languages)


def _has_other_subject(language: Patterns, text: str, offset: int) -> bool:
    """Whether a third-person verb precedes the value, and no word refers to the user."""
    own_words = (
        language.first_person, language.possessive, language.name_nouns, language.homes,
        language.jobs,
    )  # fmt: skip
    if any(pattern.search(text) for pattern in own_words):
        return False
    verb = language.other_verbs.search(text)
    return verb is not None and verb.start() > 0 < offset


def _has_named_subject(claim: Claimed, clause: Clause, offset: int) -> bool:
    """ "Tom lives in Paris". Also "my boat is called Rex", which is not the user's name."""
    if clause.subject == "own":
        return False
    before = clause.text[:offset]
    if CANONICAL.get(normalize_key(claim.key)) == "name":
        is_owned = any(language.possessive.search(before) for language in clause.languages)
        is_users_name = any(language.name_nouns.search(before) for language in clause.languages)
        if is_owned and not is_users_name:
            return True
    first = re.match(r"\w+", clause.text)
    if first and any(_is_common_word(language, first[0]) for language in clause.languages):
        return False
    return any(starts_with_name(language, clause.text, offset) for language in clause.languages)


def _is_common_word(language: Patterns, word: str) -> bool:
    """Whether the word is no name, such as the first words of "it's late" and "home is Lisbon"."""
    columns = (language.common, language.name_nouns, language.homes, language.jobs)
    return any(pattern.fullmatch(word) for pattern in columns)
