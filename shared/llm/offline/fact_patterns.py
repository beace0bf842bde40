"""The plain sentences in which people tell facts about themselves.

A pattern's `value` group is the value. In `key` and `shape`, `{0}` stands for the value's slug
(that of the group `of`, where there is one) and for the value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

GOES_ON = r" and (?:i|i'm|i’m|i've|i’ve|my|am|was|work|have|it|we|then)\b"
MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
WHEN = rf" (?:in|last|this|next) (?:\d|{MONTHS}|spring|summer|autumn|fall|winter)"
STOPS = (
    rf"{GOES_ON}| but | because | since | so | which | who | as an? | any ?more| now\b"
    rf"| for now| from now| right now| at the moment| today| this | last (?:year|month|week)|{WHEN}"
    r"| from (?:today|this)\b| these days| nowadays| lately| instead\b| at last\b| after all"
    r"| over the (?:summer|winter|weekend)| any longer"
)
# "3,000", "7.30" and "Dr. Adler" go on.
ENDS = r"[;!?]|(?<!\b[DM]r)(?<!\bMrs)(?<!\bMs)(?<!\bSt)[,.](?!\d)|$"
INNER = r"[^.;!?]|\.(?=\w)|(?<=\b[DM]r)\.|(?<=\bMrs)\.|(?<=\bMs)\.|(?<=\bSt)\."
VALUE = rf"(?P<value>[^,.;!?\s](?:{INNER})*?)(?=\s*(?:{ENDS}|{STOPS}))"
SERVED = "coffee|tea|curry|steak|eggs|meat|fish|pasta|rice|toast|porridge|food|whisky|beer|wine"
MY_OWN = rf"(?P<value>my (?P<of>{SERVED}) [^,.;!?]+?)(?=\s*(?:{ENDS}|{STOPS}))"  # "my curry mild"
LIST = rf"(?P<value>[^.!?;]+?)(?=\s*(?:[.!?;]|$|,? but |{GOES_ON}))"
PLACE = rf"(?!(?-i:the [a-z])){VALUE}"  # "the next step" is no home, "the Hague" is
ORDER = r"(?P<value>(?!mind|gonna|nice|ever\b|heard|seen|knew|thought|been)[^.!?]+)"
NAME = r"(?P<value>[^\W\d_][\w'’-]*(?:\s+(?-i:[A-Z])[\w'’-]*){0,3})"
AGE = r"(?P<value>\d{1,3})(?: years old|(?= and\b|[.,!]|$))"
NICKNAME = r"(?P<value>(?-i:[A-Z])[\w'’-]*(?: (?-i:[A-Z])[\w'’-]*)*)"
DIET = r"(?P<value>vegan|vegetarian|pescatarian)\b"
HELLO = r"^(?:hi|hello|hey)\b[\w ]*[,!.]*\s+"
SAID_NAME = r"(?-i:(?P<value>[A-Z][\w'’-]+))\s*(?:[,.!]|$| and )"

I = r"\bi(?: now| just| also| really| currently| usually| much| have|'ve|’ve| recently)*"  # noqa: E741
I_AM = r"\b(?:i am|i'm|i’m)(?: also| now)?"
DO_NOT = r"(?:don't|don’t|do not)"
PLEASE = r"^(?:please,? |from now on,? )*"


@dataclass(frozen=True, kw_only=True)
class FactPattern:
    category: str
    key: str
    says: re.Pattern[str]
    confidence: float
    importance: float
    shape: str


def _says(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _pattern(slot: str, says: str, weights: tuple[float, float], shape: str = "{0}") -> FactPattern:
    """`slot` is "category key", `weights` are confidence and importance."""
    category, key = slot.split()
    confidence, importance = weights
    return FactPattern(
        category=category,
        key=key,
        says=_says(says),
        confidence=confidence,
        importance=importance,
        shape=shape,
    )


# The same two the other way round are the same question, and another answer to it.
COMPARES = re.compile(r" (?:better than|more than|rather than|to|over) ")

# Of two that fit one slot the first has it.
PATTERNS = (
    _pattern("identity name", rf"\bmy full name(?: is|'s|’s) {NAME}", (0.95, 0.95)),
    _pattern("identity name", rf"\bmy name(?: is|'s|’s)(?: actually)? {NAME}", (1.0, 0.95)),
    _pattern("identity name", rf"{HELLO}(?:i am|i'm|i’m) {SAID_NAME}", (0.8, 0.95)),
    _pattern("identity name", rf"\b(?:call me|i go by) {NICKNAME}", (0.6, 0.9)),
    _pattern("identity home", rf"(?:{I} live|{I_AM} (?:living|based)) in {PLACE}", (0.95, 0.8)),
    _pattern("identity home", rf"{I} (?:moved|relocated) (?:from .+? )?to {PLACE}", (0.95, 0.8)),
    _pattern("identity occupation", rf"(?:{I}|\band) work as (?=an? |the ){VALUE}", (0.95, 0.7)),
    _pattern("identity employer", rf"(?:{I}|\band) work (?:at|for) {VALUE}", (0.9, 0.7)),
    _pattern("identity age", rf"{I_AM} {AGE}", (0.9, 0.6)),
    _pattern("constraint allergy_{0}", rf"{I_AM} allergic to {LIST}", (0.95, 0.95)),
    _pattern("constraint diet", rf"{I_AM}(?: an?)? {DIET}", (0.9, 0.9)),
    _pattern("preference {0}", rf"{I} (?:like|prefer) {MY_OWN}", (0.85, 0.55), "likes {0}"),
    _pattern(
        "preference {0}",
        rf"{I} (?:like|enjoy) (?!my (?:{SERVED}) \w){VALUE}",
        (0.8, 0.5),
        "likes {0}",
    ),
    _pattern("preference {0}", rf"{I} love {VALUE}", (0.85, 0.55), "loves {0}"),
    _pattern("preference {0}", rf"{I} (?:hate|can't stand) {VALUE}", (0.85, 0.55), "hates {0}"),
    _pattern("preference {0}", rf"{I} {DO_NOT} like {VALUE}", (0.8, 0.5), "dislikes {0}"),
    _pattern("preference {0}", rf"{I} prefer {VALUE}", (0.85, 0.6), "prefers {0}"),
    _pattern("instruction {0}", rf"{PLEASE}never {ORDER}", (0.9, 0.8), "never {0}"),
    _pattern("instruction {0}", rf"{PLEASE}always {ORDER}", (0.9, 0.8), "always {0}"),
)

# "my dog is called Rex", "the title of my novel is Salt Road"; the text itself gives the key.
MY_THING = _says(
    r"(?:\bmy |\b(?=the [\w ]{1,24}? (?:of|for) my ))(?P<thing>[a-z][\w'’ -]{1,40}?)"
    rf"(?: now| these days)? (?P<verb>is called|is named|is)(?: now)? {VALUE}"
)
# "my boss is Marcus now" says who, where "my boss is ill now" is the boss's own affair.
NEW_PERSON = _says(r"\b(?:new|now|these days|from now on|as of)\b")
PROPER = re.compile(
    r"(?![A-Z]\w{2,}(?:ian|ish|ese)$|(?:German|French|Dutch|Greek|Swiss|Jewish|Muslim|Catholic)$)"
    r"(?:(?:Dr|Mrs?|Ms)\.? )?[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*"
)
