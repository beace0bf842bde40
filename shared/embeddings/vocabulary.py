"""Which words an embedding model has whole, and does not put together from pieces."""

from __future__ import annotations

from typing import Any

BEGINS = ("", "▁", "Ġ")  # how WordPiece, SentencePiece and byte-pair vocabularies begin a word


def has_word(tokenizer: Any, word: str) -> bool:
    """`tokenizer` is one of the tokenizers library, `word` in lower case."""
    return any(tokenizer.token_to_id(begin + word) is not None for begin in BEGINS)
