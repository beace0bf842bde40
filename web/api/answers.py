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


class Answer(BaseModel):
    """A JSON object."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def as_json(self) -> dict[str, Any]:
        return self.model_dump(mode="json")


class Page(Answer):
    """A part of a list."""

    next_cursor: str | None = Field(
        default=None, description="The `cursor` of the page after this one; null on the last page."
    )
