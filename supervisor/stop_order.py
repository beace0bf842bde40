"""The order in which processes stop, and the time that each may take. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class _Kind:
    stage: int
    stop_limit_s: float


# First the processes that create work, then the workers, then the monitor, last the services.
# `web` and the workers interrupt running work themselves well within their limits.
_KINDS = {
    "web": _Kind(0, 40),
    "beat": _Kind(1, 10),
    "worker": _Kind(2, 40),
    "flower": _Kind(3, 10),
    "model": _Kind(3, 10),
    "valkey": _Kind(4, 20),
    "postgres": _Kind(5, 60),
}
_OTHER = _Kind(2, 20)
_WITH_DATA = ("valkey", "postgres")


def stop_stages(names: Iterable[str]) -> list[list[str]]:
    """`names` grouped by stage. The names of a stage stop together, before the next stage."""
    by_stage = sorted(names, key=lambda name: _kind(name).stage)
    groups = itertools.groupby(by_stage, key=lambda name: _kind(name).stage)
    return [list(group) for _, group in groups]


def stop_limit_s(name: str) -> float:
    return _kind(name).stop_limit_s


def hurried_limit_s(name: str) -> float:
    """The limit after a second Ctrl-C. Processes without data of their own are killed at once."""
    return 10.0 if name in _WITH_DATA else 0.0


def orphan_limit_s(name: str) -> float:
    """The limit for processes of a killed supervisor. Without their services they may hang."""
    return stop_limit_s(name) if name in _WITH_DATA else 5.0


def _kind(name: str) -> _Kind:
    """`worker-llm` and `worker-llm.2` are of the kind `worker`."""
    return _KINDS.get(re.split(r"[-.]", name, maxsplit=1)[0], _OTHER)
