"""What a question asks for: whom it is about, when it was, and how to look for it.

People speak of themselves as "I": a question about Ada is nearest to what she said when it is
asked as she would have said it. So names of those who speak here become "I" and "my".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, tzinfo

from shared.models import Role, Speaker
from shared.policy.ranking.dates import Named, read_dates
from shared.policy.ranking.temporal_anchors import Landmark, read_landmark
from shared.policy.ranking.whole_words import find_whole, replace_whole

FIRST_PERSON = re.compile(r"\b(?:i|me|my|mine|myself)\b", re.IGNORECASE)
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
    zone: tzinfo = UTC  #: by whose clock the days of `dates` begin and end

    @staticmethod
    def plain(text: str) -> Question:
        """Its words and its meaning, and nothing that is read between them."""
        return Question(
            for_meaning=text,
            for_words=text,
            speaker=None,
            role=None,
            dates=(),
            landmark=None,
            answered_with="",
        )


def read_question(
    text: str, speakers: Sequence[Speaker], today: date, own_names: Sequence[str] = ()
) -> Question:
    """`speakers` are the names under which messages were said; `own_names` are the user's, whose
    messages bear none."""
    own = {*own_names, *(name.split()[0] for name in own_names if name.split())}
    pattern = _naming({*own, *(one.name for one in speakers)})
    named = {match["name"] for match in find_whole(pattern, text)}
    speaker = next(iter(named)) if len(named) == 1 else None
    for_meaning = replace_whole(pattern, text, _in_first_person)
    return Question(
        for_meaning=for_meaning,
        for_words=replace_whole(pattern, text, lambda _: " "),
        speaker=speaker,
        role=("user" if speaker in own else None) if named else _role_of(text),
        dates=read_dates(text, today),
        landmark=read_landmark(for_meaning),
        answered_with=TIMES * bool(ASKS_WHEN.search(text))
        + NUMBERS * bool(ASKS_HOW_MANY.search(text)),
    )


def _naming(names: Iterable[str]) -> re.Pattern[str]:
    """Any of `names`, as it is written ("Will" is a name, "will" is not), with its 's.

    The longest first: "Ada Lovelace" before "Ada". What has no letter is no name.
    """
    spelt = sorted({name for name in names if HAS_LETTER.search(name)}, key=len, reverse=True)
    either = "|".join(map(re.escape, spelt)) or NOTHING
    return re.compile(rf"(?<!\w)(?P<name>{either})(?!\w)(?P<of>['’]s(?!\w))?")


def _in_first_person(match: re.Match[str]) -> str:
    return "my" if match["of"] else "I"


def _role_of(text: str) -> Role | None:
    """ "Where do I live" was said by the user, "what did you suggest" by the assistant."""
    first, second = FIRST_PERSON.search(text), SECOND_PERSON.search(text)
    if bool(first) == bool(second):
        return None
    return "user" if first else "assistant"
