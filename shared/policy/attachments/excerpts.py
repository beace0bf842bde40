"""The parts of a long text that a question asks about: its beginning, and the nearest passages."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from shared.policy.attachments.headings import FORM_FEED
from shared.policy.attachments.places import list_headings
from shared.policy.folding import fold
from shared.policy.shortening import CountTokens, cut_middle

LEFT_OUT = "[…]"
PASSAGE_CHARS = 800
HEAD_SHARE = 0.25  # of the tokens; the rest is for passages
MOST_CHARS_PER_TOKEN = 12  # a longer text than that is not counted: it cannot fit
SHORTEST_WORD = 3
_WORDS = re.compile(r"\w+")


def fit_text(text: str, question: str, tokens: int, count_tokens: CountTokens) -> tuple[str, bool]:
    """What fits of a text into about `tokens`, and whether it is all of it."""
    if len(text) <= tokens * MOST_CHARS_PER_TOKEN and count_tokens(text) <= tokens:
        return text, True
    passages = split_passages(text)
    numbers = _choose(passages, question, tokens, count_tokens)
    if not numbers:
        return cut_middle(passages[0], tokens, count_tokens), False
    return _join(passages, numbers), False


def split_passages(text: str) -> list[str]:
    """The text in pieces of at most `PASSAGE_CHARS`, which end at the end of a line if they can."""
    passages: list[str] = []
    current = ""
    for line in _short_lines(text):
        if current and len(current) + len(line) > PASSAGE_CHARS:
            passages.append(current)
            current = ""
        current += line
    return [*passages, current] if current.strip() or not passages else passages


def _short_lines(text: str) -> Iterable[str]:
    for line in _lines(text):
        for at in range(0, len(line), PASSAGE_CHARS):
            yield line[at : at + PASSAGE_CHARS]


def _lines(text: str) -> Iterable[str]:
    """The lines of the text. The form feed before a heading stays with it."""
    before = ""
    for line in text.splitlines(keepends=True):
        if line != FORM_FEED:
            yield before + line
            before = ""
        elif before:
            yield line
        else:
            before = line
    if before:
        yield before


def _choose(
    passages: Sequence[str], question: str, tokens: int, count_tokens: CountTokens
) -> set[int]:
    """The numbers of the passages that are given: the first ones, then the nearest."""
    numbers: set[int] = set()
    headings = [heading for passage in passages for heading in list_headings(passage)]
    mark = count_tokens(LEFT_OUT) + 2 + count_tokens(max(headings, key=len, default=""))
    head, left = int(tokens * HEAD_SHARE), tokens
    nearest = _rank(passages, question)
    for number in [*_head(passages, head, count_tokens), *nearest, *range(len(passages))]:
        if number in numbers:
            continue
        size = count_tokens(passages[number]) + mark
        if size > left:
            break
        numbers.add(number)
        left -= size
    return numbers


def _head(passages: Sequence[str], tokens: int, count_tokens: CountTokens) -> Iterable[int]:
    for number, passage in enumerate(passages):
        tokens -= count_tokens(passage)
        if tokens < 0 and number > 0:
            return
        yield number


def _rank(passages: Sequence[str], question: str) -> list[int]:
    """Passages with words of the question, best first. Words that few passages have count most."""
    question_words = _words(question)
    common_words = [question_words & _words(passage) for passage in passages]
    spread = Counter(word for words in common_words for word in words)
    weights = {word: math.log(1 + len(passages) / count) for word, count in spread.items()}
    scores = [sum(weights[word] for word in words) for words in common_words]
    numbers = [number for number, score in enumerate(scores) if score]
    return sorted(numbers, key=lambda number: (-scores[number], number))


def _words(text: str) -> set[str]:
    return {word for word in _WORDS.findall(fold(text)) if len(word) >= SHORTEST_WORD}


def _join(passages: Sequence[str], numbers: set[int]) -> str:
    """A passage after a gap has the heading of its place before it."""
    headings = _headings_before(passages)
    parts: list[str] = []
    last = -1
    for number in sorted(numbers):
        if number != last + 1:
            has_heading = passages[number].startswith(FORM_FEED)
            parts += [f"{LEFT_OUT}\n", "" if has_heading else headings[number]]
        parts.append(passages[number])
        if not passages[number].endswith("\n"):
            parts.append("\n")
        last = number
    if last != len(passages) - 1:
        parts.append(LEFT_OUT)
    return "".join(parts).strip("\n")


def _headings_before(passages: Sequence[str]) -> list[str]:
    """For each passage the last heading before it, as a line; empty if there is none."""
    headings = [""]
    for passage in passages:
        inside = list_headings(passage)
        headings.append(f"{inside[-1]}\n" if inside else headings[-1])
    return headings
