"""The base of the models that answers are written from."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema

#: An instant as ISO 8601 with its offset.
Instant = Annotated[
    datetime,
    PlainSerializer(datetime.isoformat, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
NEXT_CURSOR = "next_cursor"


class Answer(BaseModel):
    """A JSON object. Fields with `exclude=True` are in the answers of the old addresses alone."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def as_v1(self) -> dict[str, Any]:
        return self.model_dump(mode="json")

    def as_before_v1(self) -> dict[str, Any]:
        """The old addresses do not know cursors."""
        old = {
            name: getattr(self, name) for name, f in type(self).model_fields.items() if f.exclude
        }
        return self.model_dump(mode="json", exclude={NEXT_CURSOR}) | old


class Page(Answer):
    """A part of a list."""

    next_cursor: str | None = Field(
        default=None, description="The `cursor` of the page after this one; null on the last page."
    )
