"""ChatGPT's marks of citations in a reply become links, or go."""

from __future__ import annotations

import json
import re
from typing import Any

from shared.user_data.imports.fields import read_id

MAX_REFERENCES = 500  # of one reply
#: `cite`, `navlist`, `entity` … between characters for private use, or a source in brackets.
#: No two parts take the same characters, and none gives any back: else an open mark costs a square.
MARK = re.compile(r"( ?)(\ue200([a-z_]*+)[^\ue200\ue201]*+\ue201|【[^【】†]*+†[^【】]*+】)")
REST = re.compile(r"[\ue200-\ue206]")
PARTS = "\ue202"


def resolve_citations(text: str, metadata: dict[str, Any]) -> str:
    if MARK.search(text) is None and REST.search(text) is None:
        return text
    links = _links(metadata.get("content_references"))

    def show(mark: re.Match[str]) -> str:
        label = links.get(mark[2]) or (_name(mark[2]) if mark[3] == "entity" else "")
        return f"{mark[1]}{label}" if label else ""

    return REST.sub("", MARK.sub(show, text)).strip()


def _links(references: object) -> dict[str, str]:
    """What is shown in a mark's place, by the mark."""
    links = {}
    for item in references[:MAX_REFERENCES] if isinstance(references, list) else []:
        if isinstance(item, dict):
            links[read_id(item.get("matched_text"))] = read_id(item.get("alt")) or _list(item)
    return links


def _list(reference: dict[str, Any]) -> str:
    items = reference.get("items")
    sources = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return ", ".join(
        f"[{read_id(item.get('title')) or url}]({url})"
        for item in sources
        if (url := read_id(item.get("url")))
    )


def _name(mark: str) -> str:
    """An entity is `["kind", "name", …]`."""
    try:
        entity = json.loads(mark.rpartition(PARTS)[2].rstrip("\ue201"))
    except (ValueError, RecursionError):
        return ""
    return read_id(entity[1]) if isinstance(entity, list) and len(entity) > 1 else ""
