"""What a question asks for: whom it is about, when it was, and how to look for it.

People speak of themselves as "I": a question about Ada is nearest to what she said when it is
asked as she would have said it. So names of those who speak here become "I" and "my".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from shared.models import Role, Speaker
from shared.policy.ranking.dates import Named, read_dates
from shared.policy.ranking.landmarks import Landmark, read_landmark

FIRST_PERSON = re.compile(r"\b(?:i|me|my|mine|myself)\b", re.IGNORECASE)
ASKS_WHEN = re.compile(r"^\W*when\b|\bhow long\b", re.IGNORECASE)
ASKS_HOW_MANY = re.compile(r"\bhow (?:many|much|often|old|long)\b", re.IGNORECASE)
TIMES = (
    "yesterday today tonight tomorrow morning night last next ago since week weekend month year "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december spring summer autumn winter recently "
)
NUMBERS = "one two three four five six seven eight nine ten dozen couple few several once twice "
SECOND_PERSON = re.compile(r"\b(?:you|your|yours)\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Question:
    """`for_meaning` is to be embedded, `for_words` to be looked up.

    Messages of `speaker`, and those without a name of `role`, are more likely to answer, and so
    are those with a number or any of the words of `answered_with`, where it has any.
    """

    for_meaning: str
    for_words: str
    speaker: str | None
    role: Role | None
    dates: tuple[Named, ...]
    landmark: Landmark | None
    answered_with: str


def read_question(
    text: str, speakers: Sequence[Speaker], today: date, own_names: Sequence[str] = ()
) -> Question:
    """`speakers` are the names under which messages were said; `own_names` are the user's, whose
    messages bear none."""
    own = {*own_names, *(name.split()[0] for name in own_names if name.split())}
    named: list[str] = []
    for_meaning = for_words = text
    for name in _longest_first({*own, *(one.name for one in speakers)}):
        if _mentions(for_meaning, name):
            named.append(name)
            for_meaning = _in_first_person(for_meaning, name)
            for_words = re.sub(rf"\b{re.escape(name)}(?:['’]s)?(?!\w)", " ", for_words)
    speaker = named[0] if len(named) == 1 else None
    return Question(
        for_meaning=for_meaning,
        for_words=for_words,
        speaker=speaker,
        role=("user" if speaker in own else None) if named else _role_of(text),
        dates=read_dates(text, today),
        landmark=read_landmark(for_meaning),
        answered_with=TIMES * bool(ASKS_WHEN.search(text))
        + NUMBERS * bool(ASKS_HOW_MANY.search(text)),
    )


def _longest_first(names: Iterable[str]) -> list[str]:
    """ "Ada Lovelace" before "Ada", which then is not named once more."""
    return sorted(names, key=lambda name: (-len(name), name))


def _mentions(text: str, name: str) -> bool:
    """As it is written: "Will" is a name, "will" is not."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _in_first_person(text: str, name: str) -> str:
    text = re.sub(rf"(?<!\w){re.escape(name)}['’]s(?!\w)", "my", text)
    return re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "I", text)


def _role_of(text: str) -> Role | None:
    """ "Where do I live" was said by the user, "what did you suggest" by the assistant."""
    first, second = FIRST_PERSON.search(text), SECOND_PERSON.search(text)
    if bool(first) == bool(second):
        return None
    return "user" if first else "assistant"
