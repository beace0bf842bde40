"""Turns what others say of the user in English into what the user would say.

"The user prefers tea", "You are vegetarian" and "Ada lives in Oslo" become "I prefer tea", "I am
vegetarian" and "I live in Oslo". Only the beginning of a sentence is read.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_ADVERB = r"(?:(?:\w{2,20}ly|also|often|always|never|now|still|just) )?"
_VERBS = {
    "is": "am", "are": "am", "isn't": "am not", "aren't": "am not", "has": "have",
    "hasn't": "have not", "does": "do", "doesn't": "do not", "goes": "go", "was": "was",
}  # fmt: skip
#: Verbs with which a line may begin that leaves "the user" out.
_OPENINGS = re.compile(
    rf"{_ADVERB}(?:is|has|lives|works|prefers|likes|loves|enjoys|hates|dislikes|speaks|studies|"
    r"plays|uses|owns|wants|needs|does not|doesn't) ",
    re.IGNORECASE,
)
_USER = r"(?:the )?user"
_VERB = re.compile(rf"({_ADVERB})([a-z]+(?:n't)?)(?= )", re.IGNORECASE)


def in_first_person(sentence: str, names: Collection[str]) -> str | None:
    """Rewrite a sentence about the user in the first person. None: it does not begin like one.

    `names` are the user's names.
    """
    text = sentence.replace("’", "'")
    subjects = "|".join([_USER, *map(re.escape, names)])
    owner = re.match(rf"(?:(?:{subjects})'s|your) (?=\w)", text, re.IGNORECASE)
    if owner:
        return f"My {text[owner.end() :]}"
    if match := re.match("you(?= )|you're(?= )", text, re.IGNORECASE):
        verb = "are " if "'" in match[0] else ""
        return _join(verb + text[match.end() :].lstrip(), is_third=False)
    if match := re.match(rf"(?:{subjects})(?= )", text, re.IGNORECASE):
        return _join(text[match.end() :].lstrip(), is_third=True)
    if re.match("allergic to ", text, re.IGNORECASE):
        return f"I am {text[:1].lower()}{text[1:]}"
    return _join(text, is_third=True) if _OPENINGS.match(text) else None


def _join(predicate: str, *, is_third: bool) -> str | None:
    """`predicate` begins with its verb."""
    match = _VERB.match(predicate)
    if match is None:
        return None
    adverb, verb = match[1].lower(), match[2].lower()
    if is_third:
        verb = _VERBS.get(verb) or _plural(verb)
    elif verb in ("are", "aren't"):
        verb = _VERBS[verb]
    return f"I {adverb}{verb}{predicate[match.end() :]}"


def _plural(verb: str) -> str:
    """`studies` → `study`, `teaches` → `teach`, `lives` → `live`."""
    if verb.endswith("ies") and len(verb) > len("dies"):
        return f"{verb[:-3]}y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb
