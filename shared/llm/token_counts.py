"""Count tokens, and look up a model's input limit, without the network."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from shared.llm.model_list import encodings_folder, input_limits
from shared.llm.targets import place_of
from shared.settings import Settings

if TYPE_CHECKING:
    import tiktoken

# tiktoken panics on a very long run of one character (a million spaces). `except Exception` does
# not catch a panic. So texts are counted in pieces, and each cut may add a token.
PIECE_CHARS = 50_000
MOST_KNOWN = 20_000  # texts whose tokens are not counted again: most are in the next prompt, too
BUNDLED = ("cl100k_base", "o200k_base")  # the encodings that come with litellm


def count_tokens(model: str) -> Callable[[str], int]:
    """A token counter for `model`: exact for OpenAI's models, cl100k as an estimate for others.

    The first call loads the encoding (0.3 s).
    """
    return _counter(_encoding_name(model))


def input_limit(model: str) -> int | None:
    """The maximum of input tokens, by litellm's bundled list; None for an unlisted model."""
    limits = input_limits()
    return limits.get(model) or limits.get(model.partition("/")[2])


def context_of(model: str, settings: Settings) -> int | None:
    """The maximum of input tokens: as its server has said, or less by an operator or the list."""
    learned = settings.learned_limits.at(place_of(model, settings)).prompt_tokens
    if site_model := settings.find_site_model(model):
        config = site_model.config
        limits = (learned, config.context_tokens or input_limit(config.served_name))
    else:
        limits = (learned, input_limit(model))
    return min((limit for limit in limits if limit), default=None)


def longest_answer(model: str, settings: Settings) -> int | None:
    """The most tokens that an answer may have. None: nobody has set a limit."""
    site_model = settings.find_site_model(model)
    return (site_model.config.max_tokens if site_model else None) or settings.llm_max_tokens


def _encoding_name(model: str) -> str:
    import tiktoken

    try:
        name = tiktoken.encoding_name_for_model(model.removeprefix("openai/"))
    except KeyError:
        return BUNDLED[0]
    return name if name in BUNDLED else BUNDLED[0]


@functools.cache
def _counter(name: str) -> Callable[[str], int]:
    encoding = _encoding(name)
    known: dict[tuple[int, int], int] = {}  # by length and hash: no text is kept

    def count(text: str) -> int:
        key = (len(text), hash(text))
        counted = known.get(key)
        if counted is None:
            # encode_ordinary, because "<|endoftext|>" in a user's message is plain text.
            pieces = (text[at : at + PIECE_CHARS] for at in range(0, len(text), PIECE_CHARS))
            counted = sum(len(encoding.encode_ordinary(piece)) for piece in pieces)
            if len(known) >= MOST_KNOWN:
                known.clear()
            known[key] = counted
        return counted

    return count


@functools.cache
def _encoding(name: str) -> tiktoken.Encoding:
    os.environ["TIKTOKEN_CACHE_DIR"] = str(encodings_folder())  # else tiktoken would download it
    import tiktoken

    return tiktoken.get_encoding(name)
