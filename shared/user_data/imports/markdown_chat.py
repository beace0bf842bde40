"""Reads one chat as Markdown, as it is exported here, in the form of our JSON.

Each message has a heading with its speaker and time. The user speaks first, and then in turn.
"""

from __future__ import annotations

import re
from typing import Any

from shared.errors import BrokenImportError, UnknownFormError
from shared.user_data.imports.json_stream import MAX_VALUE_BYTES, READ_BYTES, Readable

TITLE = re.compile(r"# (.+)")
HEADING = re.compile(r"^## .+, (\d{4}-\d\d-\d\d \d\d:\d\d) UTC$", re.MULTILINE)
ROLES = ("user", "assistant")


def read_markdown(source: Readable) -> dict[str, Any]:
    """Raises `BrokenImportError`, and `UnknownFormError` for other Markdown."""
    head, *parts = HEADING.split(_read_text(source))
    title = TITLE.match(head)
    if not parts or title is None:
        raise UnknownFormError
    messages = [
        {"role": ROLES[place % 2], "created_at": at, "content": content.strip()}
        for place, (at, content) in enumerate(zip(parts[::2], parts[1::2], strict=True))
    ]
    return {"title": title[1], "messages": messages}


def _read_text(source: Readable) -> str:
    content = b""
    while piece := source.read(READ_BYTES):
        content += piece
        if len(content) > MAX_VALUE_BYTES:
            raise BrokenImportError("The file holds a text that is too long.")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as exc:
        raise UnknownFormError from exc
