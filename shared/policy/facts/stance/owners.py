"""Tells whether a relative or a thing is somebody else's: "John's wife", "my neighbour's dog"."""

from __future__ import annotations

import re

from shared.policy.facts.stance import elsewhere
from shared.policy.facts.stance.clauses import Clause
from shared.policy.facts.stance.patterns import Patterns
from shared.policy.facts.stance.topics import Topic

_GENITIVE = re.compile(r"\b(?:of|de|von|van|di|da|del|dal|от|у)\s+\w+\s*$")
#: "the wife [of Paul]", "la femme [de Paul]".
_OWNER = re.compile(r"\s+(?:(?:of|de|von|van|di|do|da|del|dello|della)\s+|d'|dell')(?=\w)")
_BELONGS = re.compile(
    r"(?<!\w)(?:belongs? to|gehört|gehören|appartien\w+ à|pertenece\w* a|es de|appartien\w+ a|"
    r"pertence\w* a|hoort bij|is van|принадлежит|należy do|patří)\s+(?=\w)"
)


def is_anothers(clause: Clause, topic: Topic, people: frozenset[str]) -> bool:
    """Whether the relative is somebody else's: "John's wife", "the dog of my neighbour"."""
    for language in clause.languages:
        relatives = [language.people[name] for name in topic.people if name in language.people]
        spans = [match.span() for each in relatives if (match := each.search(clause.text))]
        if not spans:
            continue
        start, end = min(spans)
        before = clause.text[:start]
        if _is_owned_by_another(language, before, clause.text[end:]):
            return True
        if any(match.end() == len(before.rstrip()) for match in language.others.finditer(before)):
            return True  # "her husband Karl"
        if before.rstrip().endswith("'s") and len(topic.people) == 1:
            return True
        if clause.subject == "own":  # "we have two cats and four children"
            before = before[max((m.end() for m in language.ands.finditer(before)), default=0) :]
        others = people_in(language, before) - topic.people
        is_owned = bool(language.possessive.search(" ".join(before.split()[-2:])))
        if others and (not is_owned or _GENITIVE.search(before)):
            return True  # "my boss has a son", "the teacher of my daughter"
        if language.first_person.search(before):
            owner = before.split()[-2:]
            return bool(owner) and any(word.endswith("'s") for word in owner)
        has_other = bool(people - topic.people) and clause.subject == "other"
        if has_other or starts_with_name(language, clause.text, start):
            return True
    return False


def is_anothers_thing(clause: Clause, topic: Topic, offset: int) -> bool:
    """Whether the clause says of what is named that another has it, as "Můj soused má psa" does."""
    is_others = clause.subject == "other" and not clause.languages
    return (is_others and elsewhere.another_has(clause.text)) or (
        topic.is_name and _belongs_to_another(clause, offset)
    )


def _is_owned_by_another(language: Patterns, before: str, after: str) -> bool:
    """ "La femme de Paul": nothing before it is the user's, and the owner is not the user."""
    owner = _OWNER.match(after)
    users = (language.first_person, language.possessive)
    return owner is not None and not any(
        each.search(before) or each.match(after, owner.end()) for each in users
    )


def _belongs_to_another(clause: Clause, offset: int) -> bool:
    """ "Heidi belongs to my in-laws"."""
    match = _BELONGS.search(clause.text, offset)
    return match is not None and not any(
        each.first_person.match(clause.text, match.end())
        and not each.possessive.match(clause.text, match.end())
        for each in clause.languages
    )


def starts_with_name(language: Patterns, text: str, offset: int) -> bool:
    """Whether the text begins with a word and a third-person verb, or with a word and "'s"."""
    match = re.match(r"(\w+(?:'s)?) +", text)
    if not match or match.end() > offset:
        return False
    if language.possessive.search(text[:offset]) or language.first_person.search(
        text[: match.end()]
    ):
        return False
    return match[1].endswith("'s") or bool(language.other_verbs.match(text, match.end()))


def people_in(language: Patterns, text: str) -> frozenset[str]:
    return frozenset(name for name, pattern in language.people.items() if pattern.search(text))
