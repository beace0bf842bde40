"""The columns of a language's table.

Each is a text of words and phrases, separated by commas. A star stands for any ending.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Script = Literal["latin", "cyrillic", "han", "kana", "arabic", "devanagari"]


@dataclass(frozen=True, kw_only=True)
class Language:
    name: str
    script: Script = "latin"
    #: Words are written without spaces between them.
    is_unspaced: bool = False
    #: A negation may follow what it denies.
    negates_after: bool = False

    #: Frequent words: by these the language is recognised, and a value may add or drop them.
    common: str
    #: Words for the user as the one who speaks, and verbs that only they can be the subject of.
    own: str
    #: "my", "our".
    possessive: str
    #: What a user calls their own name: "my full name is".
    name_nouns: str
    #: He and she: what follows is about somebody else.
    others: str
    #: Verbs in the third person: after a name, what follows is about its bearer.
    other_verbs: str = ""
    #: Persons: relation ("sister") -> their words.
    people: Mapping[str, str]
    #: Verbs that begin a statement of its own after "and".
    verbs: str = ""
    #: "and": splits off a clause where a subject or a verb follows.
    ands: str
    #: "but": always splits.
    buts: str
    #: How a question begins, and how it ends where no question mark is needed.
    asks: str
    asks_last: str = ""
    #: "if", "suppose", "would".
    hypothetical: str
    #: Polite forms that look hypothetical: a wish is meant.
    polite: str = ""
    #: "maybe", "I think", "planning to".
    hedges: str
    negations: str
    #: Look like negations: "not only".
    no_negations: str = ""
    #: "no longer", "sold", "used to".
    ends: str
    #: Less plain signs of an end: enough where a model says that something ended.
    closings: str = ""
    #: "now", "instead": with one of these, something new is told.
    renewals: str
    #: "likes", "prefers" and their opposites.
    likes: str
    dislikes: str
    #: "joking", "role-play", "my character".
    play: str
    #: What the user wants done with the text that follows: "translate".
    tasks: str
    #: After somebody else and before a colon: what follows are their words. "Tom said: …"
    reports: str = ""
    #: To say something is no matter of form: "say", "tell", "is".
    claims: str
    #: Signs that a home is spoken of, and a job: the one is not the other.
    homes: str = ""
    jobs: str = ""
    #: Words that a value may add: "works as", "years old".
    frames: str = ""
    #: January to December; "monday" to "sunday".
    months: str
    weekdays: str
    #: Phrase -> days from today.
    days: Mapping[str, int]
    #: Words for a week, a month, a year (and "ago" needs no word of its own).
    weeks: str
    month_units: str
    years: str
    numbers: Mapping[str, int] = field(default_factory=dict)
