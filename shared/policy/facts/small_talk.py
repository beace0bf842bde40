"""Messages without any fact, which no model needs to read."""

from __future__ import annotations

import re

MAX_WORDS = 6

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_WORDS = """
a ah again alright amazing and awesome bye cheers continue cool danke excellent exactly fine
go goodbye got good great ha haha hahaha hello hey hi hm hmm huh it ja k lol lot lots merci
more much nah nein nice no nope oh ok okay on oui perfect please pls right si sí so sorry
sounds super sure thank thanks that thats that's that’s thx true ty u very well wonderful wow
y yay yea yeah yep yes you yup
"""
_FILLERS = frozenset(_WORDS.split())


def is_small_talk(text: str) -> bool:
    """ "ok", "Thanks!", "👍", "yes please": at most six words, all of them fillers."""
    words = _WORD.findall(text.casefold())
    return len(words) <= MAX_WORDS and all(word in _FILLERS for word in words)
