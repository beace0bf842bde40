"""Whether a word is a single token of an embedding model's vocabulary."""

from __future__ import annotations

from typing import Any

PREFIXES = ("", "▁", "Ġ")  # prefixes of a word's first token: WordPiece, SentencePiece, byte-pair


def has_word(tokenizer: Any, word: str) -> bool:
    """`tokenizer` is from the tokenizers library, `word` in lower case."""
    return any(tokenizer.token_to_id(prefix + word) is not None for prefix in PREFIXES)
