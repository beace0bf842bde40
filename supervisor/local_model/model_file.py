"""The file that LLM_MODEL names: whether a model that chats is in it, for which there is room."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from supervisor.embedded.owner import Owner
from supervisor.errors import StartError
from supervisor.local_model.fit import SMALLEST_WINDOW, choose_window, count_bytes, find_kind
from supervisor.local_model.gguf import NoGgufError, read_header

PREFIX = "file:"
_PART = re.compile(r"-\d{5}-of-(\d{5})$")  # in the name of a file that is one of several
_GB = 1e9


@dataclass(frozen=True, kw_only=True)
class ModelFile:
    path: Path
    #: How many tokens the model is given.
    window: int

    @property
    def name(self) -> str:
        """What the site calls the model."""
        return self.path.stem


def find_path(setting: str) -> Path:
    return Path(setting.removeprefix(PREFIX).removeprefix("//")).expanduser().absolute()


def open_model_file(setting: str, account: Owner) -> ModelFile:
    """Read the head of the file that `setting` names. Raises StartError with a sentence."""
    path = find_path(setting)
    if path.is_dir():
        raise StartError(f"LLM_MODEL: {path} is a folder. Name the file of the model in it.")
    if not path.is_file():
        raise StartError(f"LLM_MODEL: there is no file {path}.")
    if account.is_other and not account.can_run("/bin/sh", "-c", '[ -r "$1" ]', "sh", path):
        raise StartError(
            f"LLM_MODEL: the account {account.name}, which the site runs as, cannot read {path}."
        )
    try:
        header = read_header(path)
    except (NoGgufError, OSError) as exc:
        raise StartError(f"LLM_MODEL: {path} is no model in the format GGUF.") from exc
    if kind := find_kind(header):
        raise StartError(f"LLM_MODEL: in {path} is no model that chats, but one of kind {kind}.")
    file_bytes, memory_bytes = _count_file_bytes(path), _count_memory_bytes()
    window = choose_window(header, file_bytes, memory_bytes)
    if window is None:
        needed = count_bytes(header, file_bytes, SMALLEST_WINDOW) / _GB
        raise StartError(
            f"LLM_MODEL: {path} and the site need {needed:.1f} GB of memory, and this machine has "
            f"{memory_bytes / _GB:.1f} GB. Take a smaller model, or one with fewer bits."
        )
    return ModelFile(path=path, window=window)


def _count_file_bytes(path: Path) -> int:
    """The file, with the other parts of a model that was cut in several."""
    part = _PART.search(path.stem)
    if part is None:
        return path.stat().st_size
    beginning = path.stem[: part.start()]
    parts = path.parent.glob(f"*-of-{part[1]}{path.suffix}")
    return sum(other.stat().st_size for other in parts if other.stem.startswith(beginning))


def _count_memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
