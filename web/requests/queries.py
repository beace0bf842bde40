"""The base of the models that check the arguments of an address, and the types of single ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, TypeVar
from uuid import UUID

from flask import Request
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    ValidationError,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from shared.errors import FieldError, InvalidRequestError

MAX_NUMBER = 2**31 - 1  # Postgres's integer
MAX_ID = 2**63 - 1  # Postgres's bigint
OLDEST_YEAR = 1900  # Python and Postgres agree on dates long before and after it
SINCE_OLDEST_YEAR = "^(19|[2-9][0-9])[0-9]{2}-"
MAX_CURSOR_CHARS = 1_000
MAX_LISTED_IDS = 100
_DIGITS = re.compile(r"[0-9]{1,19}")


def parse_number(text: object) -> int:
    if not isinstance(text, str) or not _DIGITS.fullmatch(text):
        raise ValueError("not a whole number.")
    return int(text)


def parse_flag(text: object) -> bool:
    if text not in {"true", "false"}:
        raise ValueError("neither true nor false.")
    return text == "true"


def parse_instant(text: object) -> datetime:
    """Parse a date or time in ISO 8601. Without a time zone it is UTC."""
    try:
        instant = datetime.fromisoformat(str(text))
    except ValueError as exc:
        raise ValueError("not a date or time in ISO 8601.") from exc
    if instant.year < OLDEST_YEAR:
        raise ValueError("out of range.")
    try:
        return in_utc(instant)
    except OverflowError:  # the last hours of the year 9999
        return datetime.max.replace(tzinfo=UTC)


def in_utc(instant: datetime) -> datetime:
    """The instant in UTC: Postgres takes fewer offsets than Python. Without an offset it is UTC."""
    return instant.astimezone(UTC) if instant.tzinfo else instant.replace(tzinfo=UTC)


def parse_uuid(text: object) -> str:
    """An id in canonical form: lower case, with hyphens."""
    try:
        return str(UUID(str(text)))
    except ValueError as exc:
        raise ValueError("not an id of ours.") from exc


Number = Annotated[int, Field(ge=0, le=MAX_NUMBER), BeforeValidator(parse_number)]
BigNumber = Annotated[int, Field(ge=0, le=MAX_ID), BeforeValidator(parse_number)]
Flag = Annotated[bool, BeforeValidator(parse_flag)]
InstantArgument = Annotated[
    datetime,
    BeforeValidator(parse_instant),
    WithJsonSchema({"type": "string", "format": "date-time", "pattern": SINCE_OLDEST_YEAR}),
]
Id = Annotated[
    str, BeforeValidator(parse_uuid), WithJsonSchema({"type": "string", "format": "uuid"})
]


def parse_ids(text: object) -> list[int]:
    """Parse ids with commas between them. An empty text is an empty list."""
    ids = [parse_number(part) for part in str(text).split(",")] if text else []
    if len(ids) > MAX_LISTED_IDS or any(number > MAX_ID for number in ids):
        raise ValueError("not a list of ids.")
    return ids


Ids = Annotated[
    list[int],
    BeforeValidator(parse_ids),
    WithJsonSchema({"type": "string", "pattern": r"^([0-9]{1,18}(,[0-9]{1,18}){0,99})?$"}),
]


class Query(BaseModel):
    """The arguments after `?`."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class DryRun(Query):
    """The arguments of a deletion."""

    dry_run: Flag = Field(default=False, description="Count what would go, and delete nothing.")


class DeletionWithReplies(DryRun):
    with_replies: Flag = Field(
        default=False, description="Also the replies of other conversations that repeat it."
    )


class Listing(Query):
    """The arguments of a list that is read page by page."""

    DEFAULT: ClassVar[int] = 30
    MOST: ClassVar[int] = 100

    limit: Number | None = Field(default=None, examples=[20])
    cursor: str | None = Field(
        default=None,
        max_length=MAX_CURSOR_CHARS,
        description="`next_cursor` of the page before. It is good for the same list and filters.",
    )

    @property
    def size(self) -> int:
        """How many entries a page has at most."""
        return min(self.limit or self.DEFAULT, self.MOST)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        schema = handler.resolve_ref_schema(handler(core_schema))
        schema["properties"]["limit"]["description"] = (
            f"Entries in a page: {cls.DEFAULT} without it or with 0, and {cls.MOST} at most."
        )
        return schema


Arguments = TypeVar("Arguments", bound=Query)


def read_query(request: Request, model: type[Arguments]) -> Arguments:
    """Read the arguments after `?`. Raises `InvalidRequestError` naming the arguments."""
    for name, texts in request.args.to_dict(flat=False).items():
        if len(texts) > 1:
            error = FieldError(parameter=name, detail="given more than once.")
            raise InvalidRequestError(f"{name}: given more than once.", errors=[error])
    arguments = request.args.to_dict()
    unknown = [
        FieldError(parameter=name, detail="unknown.")
        for name in arguments.keys() - model.model_fields.keys()
    ]
    if unknown:
        raise InvalidRequestError(f"{unknown[0].parameter}: unknown.", errors=unknown)
    try:
        return model.model_validate(arguments)
    except ValidationError as exc:
        raise explain_arguments(exc) from exc


def explain_arguments(exc: ValidationError) -> InvalidRequestError:
    errors = [
        FieldError(parameter=str(problem["loc"][0]), detail=detail_of(problem))
        for problem in exc.errors(include_url=False, include_input=False)
    ]
    return InvalidRequestError(f"{errors[0].parameter}: {errors[0].detail}", errors=errors)


def detail_of(error: Mapping[str, Any]) -> str:
    return str(error["msg"]).removeprefix("Value error, ")
