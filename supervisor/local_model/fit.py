"""What a model needs of this machine: a window that fits its memory, and threads. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from supervisor.local_model.gguf import Value

#: For the system, Postgres and the site's processes.
SITE_BYTES = 2_000_000_000
#: What llama.cpp computes in, beside the weights and the window.
WORK_BYTES = 500_000_000
#: Twice a prompt of CTX_TOKENS; more would hold memory that no prompt uses.
LARGEST_WINDOW = 16_384
SMALLEST_WINDOW = 2_048
BYTES_PER_VALUE = 2  # llama.cpp keeps the window in 16 bits


def find_kind(header: Mapping[str, Value]) -> str | None:
    """The kind of a model that does not chat: `clip`, `bert`, `adapter`. None: it chats."""
    architecture = str(header.get("general.architecture", "unknown"))
    kind = str(header.get("general.type", "model"))
    if kind != "model":
        return kind
    is_embedder = bool(header.get(f"{architecture}.pooling_type"))
    is_causal = header.get(f"{architecture}.attention.causal", True)
    has_words = "tokenizer.ggml.model" in header and f"{architecture}.block_count" in header
    return None if has_words and is_causal and not is_embedder else architecture


def choose_window(header: Mapping[str, Value], file_bytes: int, memory_bytes: int) -> int | None:
    """How many tokens the model is given: as many as it takes, and as the memory has room for.

    None: not even `SMALLEST_WINDOW` fits.
    """
    trained = _largest(header, "context_length") or SMALLEST_WINDOW
    window = min(trained, LARGEST_WINDOW)
    while count_bytes(header, file_bytes, window) > memory_bytes:
        if window <= SMALLEST_WINDOW:
            return None
        window = max(window // 2, SMALLEST_WINDOW)
    return window


def count_bytes(header: Mapping[str, Value], file_bytes: int, window: int) -> int:
    """The memory that the machine needs for the weights, this window, and the site beside it."""
    heads = _largest(header, "attention.head_count")
    width = _largest(header, "embedding_length") // max(heads, 1)
    key = _largest(header, "attention.key_length") or width
    value = _largest(header, "attention.value_length") or width
    kept_heads = _largest(header, "attention.head_count_kv") or heads
    token_bytes = _largest(header, "block_count") * kept_heads * (key + value) * BYTES_PER_VALUE
    return file_bytes + window * token_bytes + WORK_BYTES + SITE_BYTES


def choose_threads(cores: int) -> int:
    """One core is left to the site: llama.cpp's threads wait by spinning."""
    return max(cores - 1, 1)


def _largest(header: Mapping[str, Value], name: str) -> int:
    """A number of the model's own; the largest, if it has one a layer. 0: the file does not say."""
    value = header.get(f"{header.get('general.architecture')}.{name}", 0)
    numbers = value if isinstance(value, tuple) else (value,)
    return max((int(number) for number in numbers if isinstance(number, int | float)), default=0)
