"""Splits one file of an upload, whose first bytes say what it is, into what can be imported."""

from __future__ import annotations

from collections.abc import Iterator

from shared.errors import UnknownFormError
from shared.user_data.imports.archive import rejoin
from shared.user_data.imports.gemini import join_days
from shared.user_data.imports.json_stream import BYTE_ORDER_MARK, Item, Readable, split_document
from shared.user_data.imports.markdown_chat import read_markdown


def split_part(part: Readable, file_limit: int) -> Iterator[Item]:
    """Raises `BrokenImportError`, after all items before the break, and `UnknownFormError`."""
    beginning, whole = rejoin(part)
    text = beginning.removeprefix(BYTE_ORDER_MARK).lstrip()
    if text.startswith(b"#"):
        yield Item("conversations", read_markdown(whole))
    elif text and not text.startswith((b"{", b"[")):
        raise UnknownFormError
    else:
        yield from join_days(split_document(whole, file_limit=file_limit))
