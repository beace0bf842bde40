"""Reads Gemini's activity of Google Takeout, in the form of our own export.

Each entry is a question with its answer in HTML. Nothing says which of them were one chat, so those
of a day become one. The newest entry is the first in the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from shared.policy.attachments.allowance import Allowance
from shared.policy.html_text import read_html
from shared.user_data.imports.fields import expect_list, read_id
from shared.user_data.imports.sections import Item

ANSWERS = "safeHtmlItem"
PROMPTED = "Prompted "
DAY_CHARS = len("2025-05-01")
MAX_DAY_CHARS = 4_000_000  # what is above becomes another conversation

Entry = dict[str, str]


def join_days(items: Iterable[Item]) -> Iterator[Item]:
    """Join the entries of each day to one item. All other items stay as they are."""
    day: list[Entry] = []
    size = 0
    for item in items:
        entry = _read(item.value)
        if day and (entry is None or entry["day"] != day[0]["day"] or size > MAX_DAY_CHARS):
            yield Item("conversations", {"activity": day})
            day, size = [], 0
        if entry is None:
            yield item
        else:
            day.append(entry)
            size += sum(map(len, entry.values()))
    if day:
        yield Item("conversations", {"activity": day})


def is_activity(conversation: dict[str, Any]) -> bool:
    return "activity" in conversation


def translate(conversation: dict[str, Any], left_out: Counter[str]) -> dict[str, Any]:
    """Translate the entries of a day into our own form. Entries without an answer are left out."""
    entries = expect_list(conversation["activity"], "A day")
    answered_entries = [entry for entry in reversed(entries) if entry["answer"]]
    if without := len(entries) - len(answered_entries):
        left_out["activity"] += without
    return {
        "id": f"gemini {entries[-1]['time']}",
        "title": f"Gemini, {entries[-1]['day']}",
        "messages": [
            {"role": role, "content": entry[field], "created_at": entry["time"]}
            for entry in answered_entries
            for role, field in (("user", "question"), ("assistant", "answer"))
        ],
    }


def _read(value: object) -> Entry | None:
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
