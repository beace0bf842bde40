"""Number words up to 99, from the words that a language joins."""

from __future__ import annotations


def numbered(units: str, tens: str, joined: str) -> dict[str, int]:
    """`units` are the words for 1 to 19, `tens` for 20 to 90; `joined` is "{tens} {unit}"."""
    small = units.split()
    numbers = {word: number for number, word in enumerate(small, start=1)}
    for ten, word in enumerate(tens.split(), start=2):
        numbers[word] = 10 * ten
        for number, unit in enumerate(small[:9], start=1):
            numbers[joined.format(tens=word, unit=unit)] = 10 * ten + number
    return numbers
