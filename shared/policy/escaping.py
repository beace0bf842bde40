"""Escape remembered and quoted text, so that it cannot close its block or element in a prompt."""

from __future__ import annotations

import html


def escape_text(text: str) -> str:
    """Escape text inside an element. Quotation marks stay: small models copy their escapes."""
    return html.escape(text, quote=False)


def escape_line(text: str) -> str:
    """Escape text and put it on one line, for a list in the `<memory>` block."""
    return escape_text(" ".join(text.split()))


def escape_lines(text: str) -> str:
    """Escape text for an item of a list in the `<memory>` block.

    Its further lines are indented, so that code and tables keep their form, and no line of it can
    pass for another item or heading. Empty lines are left out.
    """
    lines = [line.rstrip() for line in text.splitlines()]
    return escape_text("\n  ".join(line for line in lines if line).lstrip())


def escape_attribute(text: str) -> str:
    """Escape an attribute in double quotes."""
    return html.escape(text, quote=True).replace("&#x27;", "'")


def unescape(text: str) -> str:
    """Undo the escapes, also in a model's output: models copy the escapes of their input."""
    return html.unescape(text)
