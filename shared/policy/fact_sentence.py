"""A fact as a sentence, in the same words wherever it is shown."""

from __future__ import annotations

import re

from shared.models import Category

#: The key of a fact in its user's own words says nothing.
_OWN_WORDS = re.compile(r"statement_[0-9a-f]+$")
_WORD = re.compile(r"[^\W_]+")


def fact_sentence(category: Category, key: str, value: str) -> str:
    """`home_city`, `Rome` → "The user's home city: Rome".

    A key is English, its value is in any language. What the key repeats of the value is left out.
    """
    value_words = set(_WORD.findall(value.casefold()))
    words = [] if _OWN_WORDS.match(key) else key.split("_")
    name = " ".join([word for word in words if word.casefold() not in value_words] or words)
    if category == "identity":
        return f"The user's {name}: {value}" if name else f"About the user: {value}"
    return f"The user's {category}{f' ({name})' if name else ''}: {value}"
