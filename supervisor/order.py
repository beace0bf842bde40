"""In which order processes stop, and how long each may take. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class _Kind:
    stage: int
    stop_limit_s: float


# First who brings work, then who does it, then who watches, last who remembers. `web` and the
# workers let go of running work by themselves well within their limits.
_KINDS = {
    "web": _Kind(0, 40),
    "beat": _Kind(1, 10),
    "worker": _Kind(2, 40),
    "flower": _Kind(3, 10),
    "valkey": _Kind(4, 20),
    "postgres": _Kind(5, 60),
}
_OTHER = _Kind(2, 20)
_WITH_DATA = ("valkey", "postgres")


def stop_stages(names: Iterable[str]) -> list[list[str]]:
    """`names` in stages: those of one stage stop together, and before the next stage."""
    ordered = sorted(names, key=_stage)
    return [list(group) for _, group in itertools.groupby(ordered, key=_stage)]


def stop_limit_s(name: str) -> float:
    return _kind(name).stop_limit_s


def hurried_limit_s(name: str) -> float:
    """After a second Ctrl-C: what has nothing of its own to save is killed at once."""
    return 10.0 if name in _WITH_DATA else 0.0


def leftover_limit_s(name: str) -> float:
    """After kill -9 of the supervisor: without their services the others may hang."""
    return stop_limit_s(name) if name in _WITH_DATA else 5.0


def _stage(name: str) -> int:
    return _kind(name).stage


def _kind(name: str) -> _Kind:
    """`worker-llm` and `worker-llm.2` are of the kind `worker`."""
    return _KINDS.get(re.split(r"[-.]", name, maxsplit=1)[0], _OTHER)
