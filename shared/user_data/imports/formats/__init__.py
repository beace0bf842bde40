"""The formats whose chats are imported, one file each. The first to recognize a chat reads it."""

from __future__ import annotations

import re

from shared.user_data.imports.format import Format, Json
from shared.user_data.imports.formats import (
    chatgpt,
    claude,
    gemini,
    libre_chat,
    open_webui,
    own,
)

FORMATS: tuple[Format, ...] = tuple(
    module.FORMAT for module in (gemini, open_webui, libre_chat, chatgpt, claude, own)
)
CONTENT_KEYS = frozenset[str]().union(*(each.content_keys for each in FORMATS))
LIST_KEYS = frozenset[str]().union(*(each.list_keys for each in FORMATS))
FILE_NAMES = re.compile("|".join(sorted({each.file_names for each in FORMATS})), re.IGNORECASE)


def find_format(chat: Json) -> Format | None:
    return next((each for each in FORMATS if each.is_chat(chat)), None)
