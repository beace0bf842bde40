"""Read the JSON files of a backup: each is bounded, and exactly what a model describes.

Backups lie in places where others may write, and disks change bytes. So nothing that is read from
one is used before it has passed here.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict

DescribedModel = TypeVar("DescribedModel", bound="Described")


class Described(BaseModel):
    """A JSON object with these fields, of these types, and no others."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, populate_by_name=True)


def open_regular(path: Path) -> int:
    """A descriptor of a regular file. Raises `OSError` for a link, a pipe or a device."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path} is no regular file")
    return descriptor


def read_described(model: type[DescribedModel], path: Path, *, max_bytes: int) -> DescribedModel:
    """Raises `OSError` or `ValueError`."""
    with open(open_regular(path), "rb") as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise ValueError(f"{path.name} has more than {max_bytes} bytes")
    return parse_described(model, content)


def parse_described(model: type[DescribedModel], content: bytes) -> DescribedModel:
    """Raises `ValueError`, also for a name that comes twice, and for what no JSON is."""
    try:
        plain = json.loads(
            content.decode(), object_pairs_hook=_read_object, parse_constant=_refuse_constant
        )
    except RecursionError:
        raise ValueError("nested too deep") from None
    return model.model_validate(plain)


def _read_object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a name comes twice")
    return values


def _refuse_constant(constant: str) -> object:
    raise ValueError(f"{constant} is no JSON")
