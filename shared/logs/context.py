"""Fields that are on every log line of a request, a round or a task, whoever logs it."""

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
    """In this thread, until the end of the block, beside those that are bound already."""
    before = _fields.set({**_fields.get(), **fields})
    try:
        yield
    finally:
        _fields.reset(before)


def add_fields(**fields: object) -> None:
    """To those of the block that this runs in; they go with it."""
    _fields.set({**_fields.get(), **fields})


def keep_fields(call: Callable[P, T]) -> Callable[P, T]:
    """`call`, for a new thread, with the fields of the thread that starts it."""
    fields = _fields.get()

    def call_with_fields(*args: P.args, **kwargs: P.kwargs) -> T:
        with bound_fields(**fields):
            return call(*args, **kwargs)

    return call_with_fields
