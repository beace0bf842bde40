"""Tells what a key is about: the user, a name, or a person related to the user."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from shared.policy.facts.grounding.folding import fold
from shared.policy.facts.names import CANONICAL
from shared.policy.facts.slots import normalize_key
from shared.policy.facts.stance.patterns import list_languages, plain

# Properties of a person that have no fixed slot. If a clause is about somebody else, so is the
# property: "my dog is called Rex" does not state the user's name.
_PERSONAL = frozenset(
    (
        "phone", "phone_number", "telephone", "mobile", "language", "languages", "language_skills",
        "spoken_languages", "languages_spoken", "native_language", "mother_tongue", "nationality",
        "height", "weight", "gender", "pronouns", "religion", "marital_status", "address",
        "relationship_status", "education", "school", "university", "degree", "hometown",
        "birthplace", "birth_place", "hair_colour", "eye_colour", "blood_type", "shoe_size",
    )
)  # fmt: skip
#: English words of keys that are relations elsewhere: French "chat".
_FALSE_FRIENDS = frozenset(("chat", "chats", "type", "son_of", "pet_peeve", "family"))
_TYPED = frozenset(key for key in CANONICAL.values() if key not in ("budget", "time_zone"))
_WORD = re.compile(r"\w+")
_NAME_KEY = re.compile(r"(?:^|_|nick|sur)names?$")
#: What a key says of the user's own name.
_NAME_WORDS = frozenset(
    ("first", "last", "full", "given", "family", "middle", "nick", "sur", "preferred", "user")
)


@dataclass(frozen=True, kw_only=True)
class Topic:
    """`key` is canonical. `people` are the relations in the key: `sister_age` has "sister"."""

    key: str
    is_personal: bool
    is_name: bool
    people: frozenset[str]

    @property
    def is_users_name(self) -> bool:
        words = self.key.removesuffix("names").removesuffix("name").split("_")
        return self.is_name and set(words) - {""} <= _NAME_WORDS


@functools.lru_cache(maxsize=1024)
def read_topic(key: str) -> Topic:
    normalized = normalize_key(key)
    canonical = CANONICAL.get(normalized, normalized)
    return Topic(
        key=canonical,
        is_personal=canonical in _TYPED or canonical in _PERSONAL,
        is_name=bool(_NAME_KEY.search(canonical)),
        people=list_relations(canonical.split("_")),
    )


def list_relations(words: list[str]) -> frozenset[str]:
    """The relations that the words of a key name, in English or in any other language."""
    words = [word for word in words if word not in _FALSE_FRIENDS]
    if {"in", "law"} <= set(words):
        words.append("in_law")  # `brother_in_law_name`
    return frozenset(
        relation
        for language in list_languages()
        for relation, pattern in language.people.items()
        if relation in words or any(pattern.fullmatch(word) for word in words)
    )


def relation_words(key: str, text: str) -> frozenset[str]:
    """The folded words of a text for the relations in a key: "Kinder" for `children_count`."""
    people = read_topic(key).people
    if not people:
        return frozenset()
    low = plain(text)
    words = set(_WORD.findall(low))
    return frozenset(
        fold(word)
        for language in list_languages()
        for relation in people & language.people.keys()
        for pattern in (language.people[relation],)
        for word in (
            pattern.findall(low)
            if language.table.is_unspaced
            else (word for word in words if pattern.fullmatch(word))
        )
    )
