"""The columns of a language's table.

Most are words and phrases separated by commas. A star at the end stands for any ending.
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
    #: A negation follows the verb: "speicher das nicht".
    denies_after_verb: bool = False
    #: A sentence about the user has a word for the user: "I live", where Spanish has "vivo".
    names_subject: bool = False
    #: The verb stands at the end of its clause.
    ends_with_verb: bool = False
    #: Letters that are written to the beginning of the next word: Arabic "and".
    prefixes: str = ""

    #: Frequent words. They tell the language, and a value may add or drop them.
    common: str
    #: Words for the speaker ("I"), and verb forms that only go with them.
    first_person: str
    #: "my", "our".
    possessive: str
    #: Words for a name: "my [full name] is".
    name_nouns: str
    #: What looks like a relation and is none: "mother tongue".
    no_people: str = ""
    #: "he", "she": the clause is about somebody else.
    others: str
    #: Verbs in the third person. After a name, the clause is about that person.
    other_verbs: str = ""
    #: Relation, such as "sister" -> words for it.
    people: Mapping[str, str]
    #: Verbs that begin a new clause after "and".
    verbs: str = ""
    #: "and": begins a new clause if a subject or a verb follows.
    ands: str
    #: "because": what follows holds, also in a question. It begins a clause as "and" does.
    causes: str = ""
    #: "but": always begins a new clause.
    buts: str
    #: How a question begins; and how it ends, in languages that need no question mark.
    asks: str
    asks_last: str = ""
    #: "if", "suppose", "would".
    hypothetical: str
    #: Polite wishes that look hypothetical: "I'd like".
    polite: str = ""
    #: "maybe", "I think", "planning to".
    hedges: str
    negations: str
    #: What looks like a negation and is none: "not only".
    no_negations: str = ""
    #: "no longer", "sold", "used to".
    ends: str
    #: Weaker signs of an end. They count only where a model says that something ended.
    closings: str = ""
    #: "now", "instead": the clause states something new as well.
    renewals: str
    #: "likes", "prefers" and their opposites.
    likes: str
    dislikes: str
    #: "joking", "role-play", "my character".
    play: str
    #: What the user wants done with the text that follows: "translate".
    tasks: str
    #: Tasks that make a new text: what follows them is for it, and is the user's own.
    writes: str = ""
    #: "this", "below": a request points at a text.
    points: str = ""
    #: How a label ends that begins the user's own words: "about me:".
    label_ends: str = ""
    #: "my CV": the user's own words claim a text.
    claims_text: str = ""
    #: "save", "note": with a negation, what is said is not to be remembered.
    remembers: str = ""
    #: Who remembers or forgets where it is no wish: "I forget things".
    subjects: str = ""
    #: "forget", "erase".
    forgets: str = ""
    #: "also": what held before holds, too.
    additions: str = ""
    #: "off the record", "between us".
    unwanted: str = ""
    #: "no, wait", "I mean": what was just said is taken back.
    corrections: str = ""
    #: "I lived", "as a child": it was so, and may be no more.
    past: str = ""
    #: "until Friday", "next year": it is so for a while, or will be.
    passing: str = ""
    #: "anything but", "people think I'm": what follows is not so.
    mocks: str = ""
    #: What looks like a denial and is an emphasis: "I can't live without".
    emphatic: str = ""
    #: Between a person and a colon: their words follow. "Tom said: …"
    reports: str = ""
    #: With these an instruction is about content, not about form: "say", "tell", "is".
    claims: str
    #: Signs that a clause is about a home, and about a job.
    homes: str = ""
    jobs: str = ""
    #: Words that a value may have beyond the message: "works as", "years old".
    frames: str = ""
    #: January to December; "monday" to "sunday".
    months: str
    weekdays: str
    #: Phrase -> days from today.
    days: Mapping[str, int]
    #: Words for a week, a month and a year. ("ago" and "in" are not needed.)
    weeks: str
    month_units: str
    years: str
    numbers: Mapping[str, int] = field(default_factory=dict)
