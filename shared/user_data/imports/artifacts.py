"""Documents that a model wrote beside the chat: ChatGPT's canvas, Claude's artifacts.

Each version becomes a part of the reply that made it, whole, so that it can be read and found.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from shared.user_data.imports.fields import read_id

MAX_CHARS = 400_000  # of all versions of a conversation
MAX_UPDATES = 100  # in one call
PROSE = ("document", "text/markdown", "text/plain", "")
LANGUAGES = {
    "application/vnd.ant.mermaid": "mermaid", "application/vnd.ant.react": "jsx",
    "image/svg+xml": "svg", "text/html": "html",
}  # fmt: skip
WHOLE = ".*"
ESCAPED = re.compile(r"\\(\W)")


class Documents:
    """The documents of one conversation, as far as it has been read."""

    def __init__(self, left_out: Counter[str]) -> None:
        self._left_out = left_out
        self._shown_chars = 0
        self._texts: dict[str, str] = {}
        self._heads: dict[str, tuple[str, str]] = {}

    def read_canvas(self, recipient: str, call: str) -> str:
        """Read what ChatGPT sends to its canvas: a new document, or changes by patterns."""
        try:
            arguments = json.loads(call)
        except (ValueError, RecursionError):
            arguments = None
        if not isinstance(arguments, dict):
            return self._leave_out()
        if recipient.endswith("create_textdoc"):
            kind = read_id(arguments.get("type")).removeprefix("code/")
            return self._keep(
                "", read_id(arguments.get("name")), kind, read_id(arguments.get("content"))
            )
        updates = arguments.get("updates")
        if not recipient.endswith("update_textdoc") or not isinstance(updates, list):
            return self._leave_out()
        if len(updates) > MAX_UPDATES:
            return self._leave_out()
        text = self._texts.get("", "")
        for update in updates:
            text = _replace(text, update if isinstance(update, dict) else {})
        return self._change("", text)

    def read_artifact(self, arguments: dict[str, Any]) -> str:
        """Read what Claude gives to its tool: a new text, or replacements of words."""
        document_id, command = read_id(arguments.get("id")), arguments.get("command")
        old, new = read_id(arguments.get("old_str")), read_id(arguments.get("new_str"))
        if command == "update":
            before = self._texts.get(document_id, "")
            return self._change(document_id, before.replace(old, new, 1) if old else before)
        title, kind = self._heads.get(document_id, ("", ""))
        kind = read_id(arguments.get("language")) or read_id(arguments.get("type")) or kind
        return self._keep(
            document_id,
            read_id(arguments.get("title")) or title,
            kind,
            read_id(arguments.get("content")),
        )

    def _change(self, document_id: str, text: str) -> str:
        if document_id not in self._texts or text == self._texts[document_id]:
            return self._leave_out()
        return self._keep(document_id, *self._heads[document_id], text)

    def _keep(self, document_id: str, title: str, kind: str, text: str) -> str:
        if not text.strip() or self._shown_chars + len(text) > MAX_CHARS:
            return self._leave_out()
        self._shown_chars += len(text)
        self._texts[document_id], self._heads[document_id] = text, (title, kind)
        markdown = text if kind in PROSE else _fence(text, LANGUAGES.get(kind, kind))
        return f"**{title}**\n\n{markdown}" if title else markdown

    def _leave_out(self) -> str:
        self._left_out["tool"] += 1
        return ""


def _replace(text: str, update: dict[str, Any]) -> str:
    """A pattern is taken as the words that it stands for: it may be made to run for ever."""
    pattern, new = read_id(update.get("pattern")), read_id(update.get("replacement"))
    if pattern == WHOLE:
        return new
    words = ESCAPED.sub(r"\1", pattern)
    count = text.count(words) if update.get("multiple") is True else 1
    if not words or len(text) + count * len(new) > MAX_CHARS:
        return text
    return text.replace(words, new, count)


def _fence(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
