"""Names of projects: which are allowed, and when two are the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from shared.policy.text import is_storable

MAX_CHARS = 60
# A slash would part an address. Controls and line separators are no text of one line.
_REFUSED = r"/\u0000-\u001f\u007f-\u009f\u2028\u2029"
_UNSEEN = (
    r"\u0020\u00a0\u00ad\u034f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u202a-\u202f"
    r"\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0"
)
#: A visible sign that is no dot is among them: an address with `.` or `..` is another one.
PATTERN = rf"^[^{_REFUSED}]*[^{_REFUSED}{_UNSEEN}.][^{_REFUSED}]*$"
_NAME = re.compile(PATTERN)
# Tags and selectors of variants, which only change the sign before them. They are not in the
# pattern, since not all that read it know signs of more than 16 bits.
_TAGS = re.compile("[\U000e0000-\U000e0fff]")


def find_name(text: str) -> str | None:
    """The name in the form in which it is stored. None: a project cannot have this name."""
    is_name = len(text) <= MAX_CHARS and _NAME.fullmatch(_TAGS.sub("", text)) and is_storable(text)
    return text.strip() if is_name else None


def find_same(name: str, names: Iterable[str]) -> str | None:
    """The entry of `names` that names the same project. Upper and lower case count the same."""
    return next((other_name for other_name in names if _key(other_name) == _key(name)), None)


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
