"""Reads Gemini's activity of Google Takeout, in the form of our own export.

Each entry is a question with its answer in HTML. Nothing says which of them were one chat, so those
of a day become one. The newest entry is the first in the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from shared.policy.attachments.allowance import Allowance
from shared.policy.html_text import read_html
from shared.user_data.imports.fields import read_id
from shared.user_data.imports.format import Chat, Format, Json
from shared.user_data.imports.formats import own

ENTRIES = "entries"
ANSWERS = "safeHtmlItem"
PROMPTED = "Prompted "
DAY_CHARS = len("2025-05-01")
MAX_DAY_CHARS = 4_000_000  # what is above becomes another conversation

Entry = dict[str, str]


class Day(Json):
    """The entries of a day, under `ENTRIES`. It is made here: no object of a file is one."""


def _join_days(values: Iterable[object]) -> Iterator[object]:
    """Join the entries of each day to one chat. All other values stay as they are."""
    day: list[Entry] = []
    size = 0
    for value in values:
        entry = _read_entry(value)
        if day and (entry is None or entry["day"] != day[0]["day"] or size > MAX_DAY_CHARS):
            yield Day({ENTRIES: day})
            day, size = [], 0
        if entry is None:
            yield value
        else:
            day.append(entry)
            size += sum(map(len, entry.values()))
    if day:
        yield Day({ENTRIES: day})


def _read(conversation: Json, left_out: Counter[str]) -> Chat:
    """Read the entries of a day. Those without an answer are left out."""
    entries: list[Entry] = conversation[ENTRIES]
    answered_entries = [entry for entry in reversed(entries) if entry["answer"]]
    if without := len(entries) - len(answered_entries):
        left_out["activity"] += without
    translated = {
        "id": f"gemini {entries[-1]['time']}",
        "title": f"Gemini, {entries[-1]['day']}",
        "messages": [
            {"role": role, "content": entry[field], "created_at": entry["time"]}
            for entry in answered_entries
            for role, field in (("user", "question"), ("assistant", "answer"))
        ],
    }
    return own.read(translated, left_out)


def _read_entry(value: object) -> Entry | None:
    """None: it is no entry of an activity."""
    if not isinstance(value, dict) or "header" not in value or "products" not in value:
        return None
    answers = value.get(ANSWERS)
    html = (
        []
        if not isinstance(answers, list)
        else [answer.get("html") for answer in answers if isinstance(answer, dict)]
    )
    time = read_id(value.get("time"))
    return {
        "time": time,
        "day": time[:DAY_CHARS],
        "question": read_id(value.get("title")).removeprefix(PROMPTED),
        "answer": "\n\n".join(
            text for part in html if (text := read_html(read_id(part), Allowance()))
        ),
    }


FORMAT = Format(
    is_chat=lambda chat: isinstance(chat, Day),
    read=_read,
    content_keys=frozenset(),
    # of Takeout, whose folder alone is called the same in all languages
    file_names=r".*/[^/]*gemini[^/]*/[^/]+\.json",
    join=_join_days,
)
