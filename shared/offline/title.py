"""Make a title from the beginning of the conversation, without greetings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shared.offline.english_text import split_sentences
from shared.offline.grammar import regex
from shared.offline.prompt_parser import Utterance

MAX_WORDS = 7
MAX_CHARS = 60
# Chinese, Japanese and Thai have no spaces between words: such a title is cut by characters, after
# its last comma if it has one.
UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
MAX_UNSPACED_CHARS = 20
PAUSE = re.compile("[，、；：]")
# Words that a title must not end with: the phrase would be unfinished.
DANGLING = re.compile(r"an?|and|at|but|by|for|from|in|into|of|on|or|that|the|to|with", re.I)
UNTITLED = "New conversation"


def write_title(messages: Sequence[Utterance]) -> str:
    titles = (_shorten(message.text) for message in messages if message.role == "user")
    return next(filter(None, titles), UNTITLED)


def _shorten(text: str) -> str:
    sentences = split_sentences(regex("TITLE_OPENING").sub("", text.strip()))
    words = sentences[0].split() if sentences else []
    head = words[:MAX_WORDS]
    while len(head) < len(words) and len(head) > 1 and DANGLING.fullmatch(head[-1]):
        head = head[:-1]
    title = _cut(" ".join(head)).rstrip(".,;:! 。，、！；：،")
    if not regex("ASKED").match(title):
        title = title.rstrip("?")  # "Can you help me with a cover letter?"
    return title[:1].upper() + title[1:]


def _cut(title: str) -> str:
    """At most `MAX_CHARS` characters, or `MAX_UNSPACED_CHARS` where words have no spaces."""
    if 2 * len(UNSPACED.findall(title)) < len(title):
        return title[:MAX_CHARS]
    if len(title) <= MAX_UNSPACED_CHARS:
        return title
    cut = title[:MAX_UNSPACED_CHARS]
    pauses = [pause.start() for pause in PAUSE.finditer(cut)]
    return cut[: pauses[-1]] if pauses and pauses[-1] > 0 else cut
