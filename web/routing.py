"""Converters for the parts of paths. A number that Postgres cannot store is a 404."""

from __future__ import annotations

from flask import Flask
from werkzeug.routing import IntegerConverter, Map, UUIDConverter

from shared.models import ConversationId
from web.api.queries import MAX_ID, MAX_NUMBER


class IntegerPart(IntegerConverter):
    """`<int:sequence>`: within Postgres's integer."""

    regex = r"[0-9]{1,19}"

    def __init__(self, url_map: Map) -> None:
        super().__init__(url_map, max=MAX_NUMBER)


class BigintPart(IntegerConverter):
    """`<bigint:fact_id>`: within Postgres's bigint."""

    regex = r"[0-9]{1,19}"

    def __init__(self, url_map: Map) -> None:
        super().__init__(url_map, max=MAX_ID)


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
