"""Joins the pieces of a model's calls of tools. Servers differ in what a piece repeats."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from shared.policy.text import storable

MAX_DEPTH = 20  # of fields that are passed on
NO_ARGUMENTS = "{}"


@dataclass(frozen=True, kw_only=True)
class CallPiece:
    """A piece of a call. Pieces of one call have the same index, or the same id, or neither."""

    index: int | None = None
    id: str = ""
    name: str = ""
    arguments: str = ""
    #: Fields that OpenAI's protocol does not know, of the call and of its function.
    more: Mapping[str, Any] = field(default_factory=dict)
    function_more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        texts = (self.id, self.name, self.arguments)
        more = len(str(self.more)) + len(str(self.function_more))
        return 1 + sum(map(len, texts)) + (more if self.more or self.function_more else 0)


@dataclass(kw_only=True)
class _OpenCall:
    index: int | None
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)
    function_more: dict[str, Any] = field(default_factory=dict)

    def add(self, piece: CallPiece) -> None:
        self.id = self.id or piece.id
        if piece.name.startswith(self.name):  # said again, or said whole
            self.name = piece.name
        elif not self.arguments:
            self.name += piece.name
        if piece.arguments:
            self.arguments.append(piece.arguments)
        self.more |= piece.more
        self.function_more |= piece.function_more

    def is_followed_by(self, piece: CallPiece) -> bool:
        """Whether the piece begins another call, although its place is the same."""
        if not (piece.name and self.name):
            return False
        if piece.id and self.id:
            return piece.id != self.id
        return not piece.name.startswith(self.name) and bool(self.arguments or piece.id)

    def as_openai(self) -> Iterator[dict[str, Any]]:
        for at, arguments in enumerate(_split(self.arguments)):
            function = {"name": self.name, "arguments": arguments, **self.function_more}
            call_id = "" if at else self.id
            call = {
                "id": call_id or f"call_{uuid.uuid4().hex[:24]}",
                "type": "function",
                "function": function,
                **self.more,
            }
            yield _storable(call)


class CallAssembly:
    """`take` the pieces of each chunk, then read the calls."""

    def __init__(self) -> None:
        self._calls: list[_OpenCall] = []

    def __len__(self) -> int:
        return len(self._calls)

    def take(self, pieces: Sequence[CallPiece]) -> None:
        for place, piece in enumerate(pieces):
            call = self._find(piece, place if len(pieces) > 1 else -1)
            if call is None:
                call = _OpenCall(index=piece.index)
                self._calls.append(call)
            call.add(piece)

    def as_openai(self) -> list[dict[str, Any]]:
        return [call for open_call in self._calls for call in open_call.as_openai()]

    def _find(self, piece: CallPiece, place: int) -> _OpenCall | None:
        """The call that the piece goes on with. `place` is among the calls; -1: the last one."""
        same_id = (
            call
            for call in reversed(self._calls)
            if piece.id
            and call.id == piece.id
            and (None in {call.index, piece.index} or call.index == piece.index)
        )
        if found_call := next(same_id, None):
            return found_call
        if piece.index is not None:
            calls = [call for call in self._calls if call.index == piece.index][-1:]
        else:
            calls = self._calls[place:][:1]
        return next((call for call in calls if not call.is_followed_by(piece)), None)


def _split(pieces: Sequence[str]) -> list[str]:
    """The arguments, as JSON where they are some. Of several calls without ids: each one's."""
    text = storable("".join(pieces))
    if not text.strip() or text.strip() == "null":
        return [NO_ARGUMENTS]
    if _is_json(text):
        return [_unwrap(text)]
    *before, last = pieces
    if before and _is_json(last) and (last.startswith(before[-1]) or last == "".join(before)):
        return [storable(last)]  # each piece, or the last one, had all of them
    return _list_objects(text) or [text]


def _unwrap(text: str) -> str:
    """The object that was written as JSON twice, else the text."""
    value = json.loads(text)
    return value if isinstance(value, str) and value.startswith("{") and _is_json(value) else text


def _list_objects(text: str) -> list[str]:
    """The different objects of which the text consists. Empty: it is something else."""
    decoder, at, objects = json.JSONDecoder(), 0, []
    try:
        while at < len(text):
            value, end = decoder.raw_decode(text, at)
            if value and isinstance(value, dict) and text[at:end] not in objects:
                objects.append(text[at:end])
            at = end + len(text[end:]) - len(text[end:].lstrip())
    except (ValueError, RecursionError):
        return []
    return objects


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _storable(value: Any, depth: int = 0) -> Any:
    if isinstance(value, str):
        return storable(value)
    if depth > MAX_DEPTH:
        return None
    if isinstance(value, dict):
        return {storable(name): _storable(inner, depth + 1) for name, inner in value.items()}
    if isinstance(value, list):
        return [_storable(inner, depth + 1) for inner in value]
    return value
