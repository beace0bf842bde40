"""The tokenizer of an exported model: from text to token ids, with the model's special tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np

# The prefixes of a word's first token: WordPiece, SentencePiece, byte-pair.
WORD_PREFIXES = ("", "▁", "Ġ")


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """A text's tokens, truncated to the model's limit."""

    ids: Sequence[int]
    #: For each token whether it is the text's own: neither a special token nor the prompt's.
    is_own: np.ndarray[Any, np.dtype[np.bool_]]


class Tokenizer(Protocol):
    """Cuts texts into tokens. Threads may share one."""

    def encode(self, prompt: str, text: str) -> Tokens:
        """The tokens of the text with the prompt before it."""

    def knows(self, word: str) -> bool:
        """Whether `word`, in lower case, is one token of the vocabulary."""


class ExportedTokenizer:
    """A tokenizer.json, which truncates and adds special tokens by itself."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer as LibraryTokenizer

        self._tokenizer = LibraryTokenizer.from_file(str(path))

    def encode(self, prompt: str, text: str) -> Tokens:
        # A batch of one, because `encode` keeps the interpreter lock: for 90 ms at 100,000
        # characters all other threads of the process would wait.
        [encoding] = self._tokenizer.encode_batch([prompt + text])
        return Tokens(ids=encoding.ids, is_own=_is_own(encoding, len(prompt.rstrip())))

    def knows(self, word: str) -> bool:
        return has_word(word, lambda piece: self._tokenizer.token_to_id(piece) is not None)


def has_word(word: str, is_token: Callable[[str], bool]) -> bool:
    """Whether `word`, in lower case, is one token, with any of the prefixes of words."""
    return any(is_token(prefix + word) for prefix in WORD_PREFIXES)


def _is_own(tokens: Any, prompt_length: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    import numpy as np

    ends = np.array([end for _, end in tokens.offsets])
    special = np.array(tokens.special_tokens_mask) == 1
    mask: np.ndarray[Any, np.dtype[np.bool_]] = ~special & (
        (ends > prompt_length) | (prompt_length == 0)
    )
    return mask
