"""What an operator calls a secret, beside those that everybody has: `Secrets: TICKET-####, P#####`.

The patterns stand in the operator's instructions for memory, after the word `Secrets:`, to the end
of the line. `#` is a digit, `?` a letter or digit, `*` any number of these, `-` any dash; all else
stands for itself, large or small. Texts are searched as a reader sees them (`visible_text.py`). No
pattern needs more time than in proportion to the text.
"""

from __future__ import annotations

import functools
import re

from shared.policy.facts.grounding.words import UNSPACED
from shared.policy.visible_text import as_seen

#: Matches what the operator calls a secret. None: nothing.
SecretPattern = re.Pattern[str] | None

MAX_PATTERNS = 50
MAX_CHARS = 60
LEAST_SIGNS = 2  # that are neither `?` nor `*`: else every word would be a secret
_LABEL = re.compile(r"(?:^|(?<=\s))Secrets:([^\n]*)", re.MULTILINE)
_ALNUM = r"[^\W_]"
_PLACEHOLDERS = {"#": r"\d", "?": _ALNUM, "*": f"{_ALNUM}*"}
_SPACES = r"\s{1,9}"
#: Hyphens and dashes, the minus sign, and what Japanese keyboards give for one.
_DASHES = "[-\u2010-\u2015\u2043\u2212\u2e3a\u2e3b\u301c\u30fc]"
_DASH = re.compile(_DASHES)


@functools.lru_cache(maxsize=8)
def read_patterns(instructions: str) -> SecretPattern:
    """Read the patterns in `instructions`. Raises `ValueError` with a sentence for a bad one."""
    texts = [
        as_seen(text).strip().rstrip(".")
        for label in _LABEL.finditer(instructions)
        for text in label[1].split(",")
    ]
    texts = [text for text in texts if text]
    if len(texts) > MAX_PATTERNS:
        raise ValueError(f"Secrets: has more than {MAX_PATTERNS} patterns")
    return re.compile("|".join(map(_translate, texts)), re.IGNORECASE) if texts else None


def without_patterns(instructions: str) -> str:
    """The instructions that are left for the model."""
    return _LABEL.sub("", instructions).strip()


def _translate(text: str) -> str:
    """A pattern begins and ends where a word does, so that no place is read again and again."""
    if len(text) > MAX_CHARS:
        raise ValueError(f"Secrets: a pattern is longer than {MAX_CHARS} characters")
    if sum(not sign.isspace() and sign not in "?*" for sign in text) < LEAST_SIGNS:
        raise ValueError(f"Secrets: {text!r} needs two characters beside ? and *")
    if any(stretch.count("*") > 1 for stretch in re.split(r"[^\w#?*]|_", text)):
        raise ValueError(f"Secrets: {text!r} needs a sign such as - between one * and the next")
    signs = [_PLACEHOLDERS.get(sign) or _literal(sign) for sign in text]
    # Scripts without spaces: a word of letters begins and ends beside them, too.
    neighbor = _ALNUM if "*" in text else rf"[^\W_{UNSPACED}]"
    before = rf"(?<!{neighbor})" if _is_in_word(text[0]) else ""
    after = rf"(?!{neighbor})" if _is_in_word(text[-1]) else ""
    return before + "".join(signs) + after


def _literal(sign: str) -> str:
    if sign.isspace():
        return _SPACES
    return _DASHES if _DASH.match(sign) else re.escape(sign)


def _is_in_word(sign: str) -> bool:
    return sign.isalnum() or sign in _PLACEHOLDERS
