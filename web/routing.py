"""Converters for the parts of paths. A number that Postgres cannot store is a 404."""

from __future__ import annotations

from flask import Flask
from werkzeug.exceptions import NotFound
from werkzeug.routing import IntegerConverter, UUIDConverter

from shared.models import ConversationId
from web.api.queries import MAX_ID, MAX_NUMBER


class _BoundedPart(IntegerConverter):
    """A number that is too large is an address where nothing is, whatever the method."""

    regex = r"[0-9]{1,19}"
    most: int

    def to_python(self, value: str) -> int:
        number = int(value)
        if number > self.most:
            raise NotFound("There is nothing here.")
        return number


class IntegerPart(_BoundedPart):
    """`<int:sequence>`: within Postgres's integer."""

    most = MAX_NUMBER


class BigintPart(_BoundedPart):
    """`<bigint:fact_id>`: within Postgres's bigint."""

    most = MAX_ID


class ConversationPart(UUIDConverter):
    """`<conversation:conversation_id>`: a `ConversationId`, in its one spelling."""

    def to_python(self, value: str) -> ConversationId:  # type: ignore[override]
        return ConversationId(str(super().to_python(value)))


def register_converters(app: Flask) -> None:
    """Call it before the blueprints are registered."""
    app.url_map.converters |= {
        "int": IntegerPart,
        "bigint": BigintPart,
        "conversation": ConversationPart,
    }
