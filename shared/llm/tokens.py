"""Token counts and limits, without the network."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from shared.llm.library import load_litellm

if TYPE_CHECKING:
    import tiktoken

# A long run of one sign (a million spaces) at once ends tiktoken's thread in a panic, which no
# `except Exception` catches. Each piece more than one may add a token.
PIECE_CHARS = 50_000
BUNDLED = ("cl100k_base", "o200k_base")  # the encodings that litellm carries with it


def count_tokens(model: str) -> Callable[[str], int]:
    """A counter for `model`: exact for OpenAI's, cl100k as a fair guess for all others.

    The first call loads the encoding (some 0.3 s, and litellm itself if nobody did).
    """
    encoding = _encoding(_encoding_name(model))

    def count(text: str) -> int:
        # encode_ordinary: "<|endoftext|>" in what somebody wrote is text.
        pieces = (text[at : at + PIECE_CHARS] for at in range(0, len(text), PIECE_CHARS))
        return sum(len(encoding.encode_ordinary(piece)) for piece in pieces)

    return count


@functools.lru_cache(maxsize=64)
def input_limit(model: str) -> int | None:
    """The most tokens that `model` takes, by litellm's bundled list; None if it is not there."""
    prices = load_litellm().model_cost
    entry = prices.get(model) or prices.get(model.partition("/")[2]) or {}
    limit = entry.get("max_input_tokens")
    return limit if isinstance(limit, int) and limit > 0 else None


def _encoding_name(model: str) -> str:
    import tiktoken

    try:
        name = tiktoken.encoding_name_for_model(model.removeprefix("openai/"))
    except KeyError:
        return BUNDLED[0]
    return name if name in BUNDLED else BUNDLED[0]


@functools.cache
def _encoding(name: str) -> tiktoken.Encoding:
    load_litellm()
    # Imported for what it does: it points tiktoken at the files that litellm carries.
    # Without it tiktoken would fetch them from the network.
    importlib.import_module("litellm.litellm_core_utils.default_encoding")
    import tiktoken

    return tiktoken.get_encoding(name)
