"""litellm's bundled data: its list of models, and the encodings that come with it.

They are read as files. The import of litellm takes seconds and 170 MB.
"""

from __future__ import annotations

import functools
import importlib.util
import json
from pathlib import Path
from typing import Any

from shared.settings import STAND_IN_MODEL, Settings

LIST = "model_prices_and_context_window_backup.json"
ENCODINGS = "litellm_core_utils/tokenizers"


@functools.cache
def input_limits() -> dict[str, int]:
    """The maximum of input tokens by model, for the models of which the list knows it."""
    limits = {name: entry.get("max_input_tokens") for name, entry in _read_entries().items()}
    return {name: limit for name, limit in limits.items() if isinstance(limit, int) and limit > 0}


@functools.cache
def seeing_models() -> frozenset[str]:
    """The models that accept images."""
    return frozenset(
        name for name, entry in _read_entries().items() if entry.get("supports_vision")
    )


@functools.cache
def list_hosted(provider: str) -> tuple[str, ...]:
    """The provider's models that chat, by their names in litellm."""
    entries = _read_entries().items()
    names = (
        name
        for name, entry in entries
        if entry.get("litellm_provider") == provider and entry.get("mode") == "chat"
    )
    return tuple(sorted(f"{provider}/{name.removeprefix(f'{provider}/')}" for name in names))


def find_entry(name: str) -> dict[str, Any]:
    """What the list says of a model, by its name with its provider or without. Empty: nothing."""
    entries = _read_entries()
    return entries.get(name) or entries.get(name.partition("/")[2]) or {}


def sees_images(model: str, settings: Settings) -> bool:
    """Whether a model is shown images: by the setting, else by the list, if it has the model.

    The stand-in never is: it only reads.
    """
    if model == STAND_IN_MODEL or settings.llm_vision == "no":
        return False
    if settings.llm_vision == "yes":
        return True
    chosen = settings.find_site_model(model)
    model = chosen.config.served_name if chosen else model
    return not seeing_models().isdisjoint({model, model.partition("/")[2]})


def _read_entries() -> dict[str, dict[str, Any]]:
    with (litellm_folder() / LIST).open("rb") as file:
        entries: dict[str, dict[str, Any]] = json.load(file)
    return entries


def encodings_folder() -> Path:
    """The folder of the encodings. tiktoken would download them without it."""
    return litellm_folder() / ENCODINGS


@functools.cache
def litellm_folder() -> Path:
    spec = importlib.util.find_spec("litellm")
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError("litellm is not installed")
    return Path(spec.submodule_search_locations[0])
