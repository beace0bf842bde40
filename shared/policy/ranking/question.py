"""Read what a question asks for: the person, the time, and the words to look up.

People speak of themselves as "I". To make a question about Ada similar to Ada's messages, the names
of speakers in it are replaced by "I" and "my".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from shared.models import Query, Role, Speaker
from shared.policy.folding import plain_letters
from shared.policy.ranking.dates import read_dates
from shared.policy.ranking.named_time import NamedTime
from shared.policy.ranking.speech import (
    Occasion,
    asks_for_topics,
    asks_for_whole,
    asks_how_long,
    read_occasion,
    role_of,
)
from shared.policy.ranking.temporal_anchors import TemporalAnchor, read_anchor
from shared.policy.ranking.whole_words import find_whole, replace_matches

ASKS_WHEN = re.compile(r"^\W*when\b|\bhow long\b", re.IGNORECASE)
ASKS_HOW_MANY = re.compile(r"\bhow (?:many|much|often|old|long)\b", re.IGNORECASE)
TIMES = (
    "yesterday today tonight tomorrow morning night last next ago since week weekend month year "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december spring summer autumn winter recently "
)
NUMBERS = "one two three four five six seven eight nine ten dozen couple few several once twice "
HAS_LETTER = re.compile(r"[^\W\d_]")
NOTHING = r"(?!)"  # a pattern that matches nowhere
QUESTION_MARKS = "?？؟"


@dataclass(frozen=True, kw_only=True)
class Names:
    """The names that a user's questions may contain."""

    #: Names under which messages were said.
    speakers: Sequence[Speaker] = ()
    #: The user's own names. The user's messages have no name.
    of_user: Sequence[str] = ()
    #: What the speakers are called in their talks, each with the name that they speak under.
    nicknames: Mapping[str, str] = field(default_factory=dict)

    @property
    def own_names(self) -> set[str]:
        """The user's own names, and the first part of each."""
        return {*self.of_user, *(name.split()[0] for name in self.of_user if name.split())}

    @property
    def forms(self) -> dict[str, str]:
        """All that a question may call somebody, in plain letters, each with the person's name.

        A name that is an account's in small letters is asked for with a capital: "elise".
        """
        known = [*self.own_names, *(person.name for person in self.speakers)]
        with_capitals = {name[:1].upper() + name[1:]: name for name in known}
        forms = {**self.nicknames, **with_capitals, **dict(zip(known, known, strict=True))}
        return {plain_letters(unicodedata.normalize("NFC", form)): forms[form] for form in forms}


@dataclass(frozen=True, kw_only=True)
class Question:
    """What a query asks for, in the forms that the searches use."""

    #: The text to embed, in the first person.
    for_meaning: str
    #: The text whose words are looked up, without names.
    for_words: str
    #: The only person whom the question names. Messages by this person get a higher score.
    speaker: str | None = None
    #: Messages without a name get a higher score if they have this role.
    role: Role | None = None
    #: The times that the question names.
    dates: tuple[NamedTime, ...] = ()
    #: The event before or after which the question asks, or about whose day.
    anchor: TemporalAnchor | None = None
    #: "The first time": messages of that end of what was said get a higher score.
    occasion: Occasion | None = None
    #: The question is what was talked about on a day, not one message of it.
    asks_for_topics: bool = False
    #: The question is about the whole time, not about single messages.
    asks_for_whole: bool = False
    #: The question is how long something took, or how far apart two days are.
    asks_how_long: bool = False
    #: Words that an answer with a time or number may contain. Empty: the question asks for none.
    expected_words: str = ""
    #: The time zone for the days of `dates`.
    zone: tzinfo = UTC


def read_question(query: Query, names: Names) -> Question:
    """Read a query. Of the user only the `names` are needed."""
    text = unicodedata.normalize("NFC", query.text)
    forms = names.forms
    matches = list(find_whole(_naming(forms), plain_letters(text)))
    mentions = {forms[match["name"]] for match in matches}
    speaker = next(iter(mentions)) if len(mentions) == 1 else None
    is_whole = asks_for_whole(text)
    question_text = _without_form(text) if is_whole else text
    for_meaning = replace_matches(question_text, matches, _in_first_person)
    return Question(
        for_meaning=for_meaning,
        for_words=replace_matches(text, matches, lambda _: " "),
        speaker=speaker,
        role=("user" if speaker in names.own_names else None) if mentions else _role_of(text),
        dates=read_dates(text, query.asked_at.date()),
        anchor=read_anchor(for_meaning),
        occasion=read_occasion(text),
        asks_for_topics=asks_for_topics(text),
        asks_for_whole=is_whole,
        asks_how_long=asks_how_long(text),
        expected_words=_answered_with(text),
        zone=query.asked_at.tzinfo or UTC,
    )


def _naming(names: Iterable[str]) -> re.Pattern[str]:
    """A pattern for the names and their 's. Case counts: "Will" is a name, "will" is not.

    Longer names are tried first: "Ada Lovelace" before "Ada". A name has at least one letter.
    """
    spelt = sorted({name for name in names if HAS_LETTER.search(name)}, key=len, reverse=True)
    either = "|".join(map(re.escape, spelt)) or NOTHING
    return re.compile(rf"(?<!\w)(?P<name>{either})(?!\w)(?P<of>['’]s(?!\w))?")


def _without_form(text: str) -> str:
    """A question about the whole time without what comes after it: "Name only three."."""
    question_text = text[: 1 + max(map(text.rfind, QUESTION_MARKS))]
    return question_text if asks_for_whole(question_text) else text


def _in_first_person(match: re.Match[str]) -> str:
    return "my" if match["of"] else "I"


def _role_of(text: str) -> Role | None:
    """Who is asked about. None also for what both talked about."""
    return None if asks_for_topics(text) else role_of(text)


def _answered_with(text: str) -> str:
    times = TIMES if ASKS_WHEN.search(text) else ""
    numbers = NUMBERS if ASKS_HOW_MANY.search(text) else ""
    return times + numbers
