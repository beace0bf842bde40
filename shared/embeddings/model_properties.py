"""A model's name, dimension and weights, read from its files without loading it."""

from __future__ import annotations

import importlib.util
from typing import Any

from shared.embeddings.checksums import file_sha256
from shared.embeddings.model_files import NOT_INSTALLED, ModelFiles, locate_model
from shared.embeddings.model_folder import list_module_folders, read_config
from shared.embeddings.packed.packed_file import read_dimension
from shared.settings import Settings, SettingsError


def model_name(settings: Settings) -> str:
    """The name that is stored with each vector. Different models have different names."""
    return locate_model(settings).name


def dimension(settings: Settings) -> int:
    """The dimension of the model's vectors."""
    files = locate_model(settings)
    if files.packed:
        return read_dimension(files.packed)
    folder = files.folder
    configs = (read_config(module) for module in reversed(list_module_folders(folder)))
    size = next((size for size in map(_output_size, configs) if size), None)
    if size is None:
        raise SettingsError("EMBEDDING_MODEL: the model's files do not tell its dimension.")
    cut = read_config(folder, "config_sentence_transformers.json").get("truncate_dim")
    return min(size, cut or size)


def check_model(settings: Settings, expected_dimension: int = 384) -> None:
    """Raise `SettingsError` when the model cannot run here, or does not fit the database."""
    packed = locate_model(settings).packed
    if packed is None and importlib.util.find_spec("sentence_transformers") is None:
        raise SettingsError(f"EMBEDDING_MODEL={settings.embedding_model} {NOT_INSTALLED}")
    actual = dimension(settings)
    if actual != expected_dimension:
        raise SettingsError(
            f"EMBEDDING_MODEL={settings.embedding_model} makes vectors of {actual} numbers, "
            f"but the database holds vectors of {expected_dimension}. Choose another model."
        )


def check_weights(files: ModelFiles) -> None:
    """Raise `SettingsError` when the packaged weights are not those that were published.

    It reads the whole file (0.1 to 0.5 s for 90 MB), so call it only where weights are loaded.
    """
    if files.weights_sha256 is None:
        return
    if file_sha256(files.weights) != files.weights_sha256:
        raise SettingsError(
            f"EMBEDDING_MODEL: the weights of {files.name} are damaged or were replaced. "
            "Install the package again."
        )


def _output_size(config: dict[str, Any]) -> int | None:
    """The output dimension of a Dense layer or a pooling; None for other modules."""
    if "out_features" in config:
        return int(config["out_features"])
    size = config.get("embedding_dimension", config.get("word_embedding_dimension"))
    return None if size is None else int(size) * _pooling_count(config)


def _pooling_count(config: dict[str, Any]) -> int:
    """The number of poolings. Their vectors are concatenated."""
    mode = config.get("pooling_mode")
    if mode is not None:
        return 1 if isinstance(mode, str) else len(mode)
    enabled = [key for key, on in config.items() if key.startswith("pooling_mode_") and on]
    return max(1, len(enabled))
