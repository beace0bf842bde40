"""Names of accounts: which are allowed, and when two are the same."""

from __future__ import annotations

import unicodedata

from shared.errors import InvalidRequestError

MAX_NAME_CHARS = 64
_SIGNS = frozenset("._-@+' ")
# Letters and marks that show nothing.
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u180b\u180c\u180d\u180f")
# Scripts with letters that look alike. A name may have letters of one of them.
_LOOKALIKES = ("LATIN", "CYRILLIC", "GREEK")


def read_names(text: str) -> tuple[str, str]:
    """The name as it is shown, and as it is compared. Raises `InvalidRequestError`."""
    name = unicodedata.normalize("NFKC", text[: MAX_NAME_CHARS * 4]).strip()
    if not 0 < len(name) <= MAX_NAME_CHARS:
        raise InvalidRequestError(f"A name has 1 to {MAX_NAME_CHARS} characters.")
    if not all(map(_is_allowed, name)) or "  " in name:
        raise InvalidRequestError("A name has letters, digits, single spaces and . _ - @ + '")
    if not any(unicodedata.category(sign)[0] in "LN" for sign in name):
        raise InvalidRequestError("A name has at least one letter or digit.")
    if len(_scripts_of(name)) > 1:
        raise InvalidRequestError("A name does not mix letters of alphabets that look alike.")
    return name, compared(name)


def compared(text: str) -> str:
    """The form in which names are compared: ＡＤＡ, Ada and ada are one name.

    No name has a NUL, which Postgres could not be asked for.
    """
    folded = unicodedata.normalize("NFKC", text.replace("\0", "\ufffd")).casefold()
    return unicodedata.normalize("NFKC", folded).strip()


def _is_allowed(sign: str) -> bool:
    if sign in _UNSEEN or "VARIATION SELECTOR" in unicodedata.name(sign, ""):
        return False
    return sign in _SIGNS or unicodedata.category(sign)[0] in "LMN"


def _scripts_of(name: str) -> set[str]:
    words = {unicodedata.name(sign, "").split(" ")[0] for sign in name if sign.isalpha()}
    return words.intersection(_LOOKALIKES)
