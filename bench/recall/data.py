"""Read chats from files in LoCoMo's form or in the plain form."""

from __future__ import annotations

import json
from pathlib import Path

from bench.recall.chats import Chat
from bench.recall.locomo import read_chat
from bench.recall.plain import read_people


def read_chats(path: Path) -> list[Chat]:
    """The chats of a file, or of all JSON files of a folder."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    return [chat for file in files for chat in _read_file(file)]


def _read_file(path: Path) -> list[Chat]:
    raw = json.loads(path.read_text("utf-8"))
    return [read_chat(path.stem, raw)] if "speaker_a" in raw else read_people(raw)
