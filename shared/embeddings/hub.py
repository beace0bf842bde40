"""Models by their hub name: from the local hub store, or fetched when that is allowed."""

from __future__ import annotations

from pathlib import Path

from shared.embeddings.folder import is_model_folder, list_weights
from shared.settings import SettingsError

# One copy of the weights, in the form that cannot carry code. Asked for alike when looking
# in the store: the hub's client takes a snapshot for whole when it has these.
NEEDED = ["*.json", "*.txt", "*.model", "*.safetensors"]
NOT_NEEDED = ["onnx/*", "openvino/*"]
OWNER_OF_SHORT_NAMES = "sentence-transformers"  # whom the library itself takes them for


def find_hub_model(name: str, *, download: bool) -> Path:
    """The model's folder in the local hub store. The network is asked only with `download`.

    What is in the store is used as it is, so a model does not change under stored vectors
    because somebody published a new revision.
    """
    repository = name if "/" in name else f"{OWNER_OF_SHORT_NAMES}/{name}"
    stored = _find_stored(repository)
    if stored is not None:
        return stored
    if not download:
        raise SettingsError(
            f"EMBEDDING_MODEL={name} is no folder, no installed package that carries a model, "
            "and not in the local hub store. Set EMBEDDING_DOWNLOAD=true to fetch it."
        )
    return _fetch(name, repository)


def _find_stored(repository: str) -> Path | None:
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
    return folder if _is_whole(folder) else None


def _is_whole(folder: Path) -> bool:
    """A fetch that was cut short leaves a folder in which some files are missing."""
    return is_model_folder(folder) and bool(list_weights(folder))


def _fetch(name: str, repository: str) -> Path:
    from huggingface_hub import snapshot_download

    try:
        folder = Path(
            snapshot_download(repository, allow_patterns=NEEDED, ignore_patterns=NOT_NEEDED)
        )
    except Exception as exc:  # the hub's client lets through whatever its transport raises
        reason = str(exc).partition("\n")[0]
        raise SettingsError(f"EMBEDDING_MODEL={name} could not be fetched: {reason}") from exc
    if not _is_whole(folder):
        raise SettingsError(
            f"EMBEDDING_MODEL={name} is not a sentence-transformers model with safetensors weights."
        )
    return folder
