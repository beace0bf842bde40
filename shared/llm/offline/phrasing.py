"""How remembered things are said, safe to be rendered as Markdown."""

from __future__ import annotations

import re
from datetime import date

from shared.llm.offline.days import find_when, show_day
from shared.llm.offline.remembered import Remembered
from shared.llm.offline.words import clip

MARKDOWN = re.compile(r"([\\`*_\[\]<>|~]|^\s*(?:[#+-]|\d+[.)])(?=\s))")
MAX_QUOTED_CHARS = 300

TASTES = {
    "likes": "like",
    "loves": "love",
    "hates": "hate",
    "dislikes": "dislike",
    "prefers": "prefer",
}
BY_KEY = {
    "home": "You live in {}.",
    "home_city": "You live in {}.",
    "occupation": "You work as {}.",
    "employer": "You work at {}.",
    "age": "You are {} years old.",
    "diet": "You are {}.",
}
OWN_NAMES = ("", "full", "first", "middle", "last", "family")  # `full_name`: no one called Full
ORDERS = ("never", "always")  # "always answer briefly" → "You asked me always to answer briefly."


def escape_markdown(text: str) -> str:
    """`text` as it is, whatever Markdown would have made of it; in one line."""
    return MARKDOWN.sub(r"\\\1", clip(text, MAX_QUOTED_CHARS))


def phrase(item: Remembered, *, asks_when: bool = False) -> str:
    """A sentence to the user: a fact in words, anything else quoted, with who said it and when."""
    if item.kind == "fact":
        return phrase_fact(item.key, item.text)
    quoted = f"“{escape_markdown(item.text)}”"
    if not item.date:
        return f"Earlier: {quoted}"
    told = date.fromisoformat(item.date)
    if not item.speaker:
        return f"From {show_day(told)}: {quoted}"
    by_whom = "you" if item.speaker == "User" else escape_markdown(item.speaker)
    source = f"{by_whom} said on {show_day(told)}: {quoted}"
    when = find_when(item.text, told) if asks_when else ""
    return (
        f"{when[:1].upper()}{when[1:]}: {source}" if when else f"{source[:1].upper()}{source[1:]}"
    )


def phrase_fact(key: str, value: str) -> str:
    """`name`, `Alexander` → `Your name is Alexander.`"""
    shown = escape_markdown(value).rstrip(".")
    verb, _, thing = shown.partition(" ")
    if verb in TASTES and thing:
        return f"You {TASTES[verb]} {thing}."
    if verb in ORDERS and thing:
        return f"You asked me {verb} to {thing}."
    if key.startswith("allergy"):
        return f"You are allergic to {shown}."
    if key in BY_KEY:
        return BY_KEY[key].format(shown)
    return f"Your {_owned(key)} is {shown}."


def _owned(key: str) -> str:
    """`favourite_colour` → `favourite colour`, `cat_name` → `cat's name`."""
    owner, _, last = key.rpartition("_")
    is_of_another = last == "name" and owner not in OWN_NAMES
    words = f"{owner}'s name" if is_of_another else key
    return escape_markdown(words.replace("_", " "))
