"""Files of messages in words, where they are named and not given: `File: a.pdf (PDF, 12 kB)`."""

from __future__ import annotations

from typing import Any

from web.pages.texts import read_plain_texts

UNITS = ("b", "kb", "mb")
STEP = 1000


def describe_file(file: dict[str, Any], name: str, language: str) -> str:
    """`file` has `kind` and `bytes`; `name` is its name as the page needs it."""
    texts = read_plain_texts(language)
    return texts["chat.file"].format(
        name=name, kind=texts[f"chat.file.{file['kind']}"], size=_size(file["bytes"], texts)
    )


def _size(count: int, texts: dict[str, str]) -> str:
    """In whole units; the smallest file is not 0."""
    step = min(len(UNITS) - 1, (len(str(count)) - 1) // 3)
    return texts[f"chat.file.{UNITS[step]}"].format(number=max(1, round(count / STEP**step)))
