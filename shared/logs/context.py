"""Fields of every log line of a request, a round or a task, in whichever module it is logged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_NONE: Mapping[str, object] = MappingProxyType({})
_fields: ContextVar[Mapping[str, object]] = ContextVar("log_fields", default=_NONE)


def current_fields() -> Mapping[str, object]:
    return _fields.get()


@contextmanager
def bound_fields(**fields: object) -> Iterator[None]:
    """Add fields to this thread's log lines until the end of the block."""
    before = _fields.set({**_fields.get(), **fields})
    try:
        yield
    finally:
        _fields.reset(before)


def add_fields(**fields: object) -> None:
    """Add fields until the end of the enclosing `bound_fields` block."""
    _fields.set({**_fields.get(), **fields})


def keep_fields(call: Callable[P, T]) -> Callable[P, T]:
    """Wrap `call`, which a new thread will run, so that it logs the fields of this thread."""
    fields = _fields.get()

    def call_with_fields(*args: P.args, **kwargs: P.kwargs) -> T:
        with bound_fields(**fields):
            return call(*args, **kwargs)

    return call_with_fields
