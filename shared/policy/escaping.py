"""Escape remembered and quoted text, so that it cannot close its block or element in a prompt."""

from __future__ import annotations

import html


def escape_text(text: str) -> str:
    """Escape text inside an element. Quotation marks stay: small models copy their escapes."""
    return html.escape(text, quote=False)


def escape_line(text: str) -> str:
    """Escape text and put it on one line, for a list in the `<memory>` block."""
    return escape_text(" ".join(text.split()))


def escape_attribute(text: str) -> str:
    """Escape an attribute in double quotes."""
    return html.escape(text, quote=True).replace("&#x27;", "'")


def unescape(text: str) -> str:
    """Undo the escapes, also in a model's output: models copy the escapes of their input."""
    return html.unescape(text)
