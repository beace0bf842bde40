"""Models by their name on the Hugging Face hub: from the local cache, or downloaded."""

from __future__ import annotations

from pathlib import Path

from shared.embeddings.model_folder import is_model_folder, list_weights
from shared.settings import SettingsError

# One copy of the weights, as safetensors, which cannot contain code. The same patterns are used
# for a look into the cache: the hub's client considers a snapshot complete when it has these.
NEEDED = ["*.json", "*.txt", "*.model", "*.safetensors"]
NOT_NEEDED = ["onnx/*", "openvino/*"]
OWNER_OF_SHORT_NAMES = "sentence-transformers"  # as in the library itself


def find_hub_model(name: str, *, download: bool) -> Path:
    """The model's folder in the local cache. Only `download` allows network access.

    A cached model is used as it is, even if a newer revision was published: the stored vectors
    must not come from two models.
    """
    repository = name if "/" in name else f"{OWNER_OF_SHORT_NAMES}/{name}"
    cached = _find_cached(repository)
    if cached is not None:
        return cached
    if not download:
        raise SettingsError(
            f"EMBEDDING_MODEL={name} is no folder, no installed package that carries a model, "
            "and not in the local hub store. Set EMBEDDING_DOWNLOAD=true to fetch it."
        )
    return _download(name, repository)


def _find_cached(repository: str) -> Path | None:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        folder = Path(
            snapshot_download(
                repository,
                allow_patterns=NEEDED,
                ignore_patterns=NOT_NEEDED,
                local_files_only=True,
            )
        )
    except (LocalEntryNotFoundError, HFValidationError):
        return None
    return folder if _is_complete(folder) else None


def _is_complete(folder: Path) -> bool:
    """False after an interrupted download, which leaves a folder with missing files."""
    return is_model_folder(folder) and bool(list_weights(folder))


def _download(name: str, repository: str) -> Path:
    from huggingface_hub import snapshot_download

    try:
        folder = Path(
            snapshot_download(repository, allow_patterns=NEEDED, ignore_patterns=NOT_NEEDED)
        )
    except Exception as exc:  # the hub's client raises any error of its transport
        reason = str(exc).partition("\n")[0]
        raise SettingsError(f"EMBEDDING_MODEL={name} could not be fetched: {reason}") from exc
    if not _is_complete(folder):
        raise SettingsError(
            f"EMBEDDING_MODEL={name} is not a sentence-transformers model with safetensors weights."
        )
    return folder
