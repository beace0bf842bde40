"""Heads of model files in GGUF's format."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

#: What the files of small models say, in short.
SMALL_MODEL: dict[str, object] = {
    "general.architecture": "qwen2",
    "qwen2.context_length": 32_768,
    "qwen2.block_count": 28,
    "qwen2.embedding_length": 1536,
    "qwen2.attention.head_count": 12,
    "qwen2.attention.head_count_kv": 2,
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.tokens": ["a", "b"],
    "tokenizer.chat_template": "{{ messages }}" * 200,
}


def write_gguf(path: Path, values: Mapping[str, object] = SMALL_MODEL) -> Path:
    pairs = b"".join(_text(key) + _typed(value) for key, value in values.items())
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, len(values)) + pairs)
    return path


def _typed(value: object) -> bytes:
    match value:
        case bool():
            return struct.pack("<I?", 7, value)
        case int():
            return struct.pack("<II", 4, value)
        case float():
            return struct.pack("<If", 6, value)
        case str():
            return struct.pack("<I", 8) + _text(value)
        case list():
            kind, *_ = (_typed(element)[:4] for element in value)
            elements = b"".join(_typed(element)[4:] for element in value)
            return struct.pack("<I", 9) + kind + struct.pack("<Q", len(value)) + elements
    raise TypeError(value)


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()
