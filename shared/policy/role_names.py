"""Recognise names that could pass for a role ("System"), even with look-alike letters."""

from __future__ import annotations

import re
import unicodedata

ROLE_WORDS = frozenset({
    "admin", "administrator", "ai", "assistant", "bot", "developer", "function", "human", "model",
    "operator", "root", "system", "tool", "user",
})  # fmt: skip
LETTERS = re.compile(r"[^\W\d_]+")
INVISIBLE = frozenset({"Cf", "Mn"})  # zero-width characters and combining accents
# Letters of other scripts that look like Latin letters. Real names also have other letters.
LOOK_ALIKES = str.maketrans("аеіјорсухѕԁвмнткαεικνορτυ", "aeijopcyxsdbmhtkaeikvoptu")


def reads_like_role(name: str) -> bool:
    """Whether a word of the name, or all its letters together, is the name of a role."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(LOOK_ALIKES)
    visible_name = "".join(sign for sign in plain if unicodedata.category(sign) not in INVISIBLE)
    words = LETTERS.findall(visible_name)
    return not ROLE_WORDS.isdisjoint((*words, "".join(words)))
