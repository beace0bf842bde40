"""Put facts and quotes into sentences that are safe to render as Markdown."""

from __future__ import annotations

import re
from datetime import date

from shared.offline.english_text import clip
from shared.offline.facts.known_facts import TASTES
from shared.offline.prompt_parser import MemoryItem
from shared.offline.replies.relative_dates import find_when, show_day

MARKDOWN = re.compile(r"([\\`*_\[\]<>|~]|^\s*(?:[#+-]|\d+[.)])(?=\s))")
MAX_QUOTED_CHARS = 300

# By the key, or by its first word.
BY_KEY = {
    "home": "You live in {}.",
    "home_city": "You live in {}.",
    "hometown": "You come from {}.",
    "birthplace": "You were born in {}.",
    "occupation": "You work as {}.",
    "employer": "You work at {}.",
    "age": "You are {} years old.",
    "languages": "You speak {}.",
    "allergy": "You are allergic to {}.",
    "diet": "You are {}.",
    "health": "You have {}.",
    "avoid": "You avoid {}.",
}
# `full_name` is a name of the user, not of a thing called "full".
OWN_NAMES = ("", "full", "first", "middle", "last", "family")
ORDERS = ("never", "always")  # "always answer briefly" → "You asked me always to answer briefly."


def escape_markdown(text: str) -> str:
    """`text` in one line of Markdown that shows it unchanged."""
    return MARKDOWN.sub(r"\\\1", clip(text, MAX_QUOTED_CHARS))


def phrase(item: MemoryItem, *, asks_when: bool = False) -> str:
    """A sentence to the user: a fact in words, or a quote with its speaker and date."""
    if item.kind == "fact":
        return phrase_fact(item.key, item.text)
    quoted = f"“{escape_markdown(item.text)}”"
    if item.kind == "file":
        return f"In {escape_markdown(item.speaker)}: {quoted}"
    if not item.date:
        return f"Earlier: {quoted}"
    day = date.fromisoformat(item.date)
    if not item.speaker:
        return f"From {show_day(day)}: {quoted}"
    by_whom = "you" if item.speaker == "User" else escape_markdown(item.speaker)
    source = f"{by_whom} said on {show_day(day)}: {quoted}"
    when = find_when(item.text, day) if asks_when else ""
    return (
        f"{when[:1].upper()}{when[1:]}: {source}" if when else f"{source[:1].upper()}{source[1:]}"
    )


def phrase_fact(key: str, value: str) -> str:
    """`name`, `Alexander` → `Your name is Alexander.`"""
    text = escape_markdown(value).rstrip(".")
    verb, _, thing = text.partition(" ")
    if verb in TASTES and thing:
        return f"You {TASTES[verb]} {thing}."
    if verb in ORDERS and thing:
        return f"You asked me {verb} to {thing}."
    template = BY_KEY.get(key) or BY_KEY.get(key.partition("_")[0])
    return template.format(text) if template else f"Your {_owned(key, text)} {text}."


def _owned(key: str, value: str) -> str:
    """`favourite_colour` → `favourite colour is`, `cat_name` → `cat's name is`."""
    owner, _, last = key.rpartition("_")
    verb = "are" if key.replace("_name", "").endswith("s") and " and " in value else "is"
    if last == "name" and owner not in OWN_NAMES:
        key = f"{owner}' names" if verb == "are" else f"{owner}'s name"
    return f"{escape_markdown(key.replace('_', ' '))} {verb}"
