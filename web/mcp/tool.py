"""A tool: what a model is told of it, and how it is called.

A call that fails answers with `isError` and a sentence, so that the model can read it and act.
"""

from __future__ import annotations

import functools
import logging
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from flask import g
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from mcp.types import Tool as ToolDefinition
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from shared.errors import (
    InvalidRequestError,
    MissingScopeError,
    ThroughlineError,
    TransientError,
)
from web.identity.request_audit import note_read
from web.mcp.items import Item
from web.requests.callers import Scope

logger = logging.getLogger(__name__)

SEARCHES = frozenset({"recall", "search"})
UNEXPECTED = "Something went wrong. It has been logged."


class Arguments(BaseModel):
    """Unknown arguments are refused: a misspelt one must not pass unnoticed."""

    model_config = ConfigDict(extra="forbid")


class MemoryArguments(Arguments):
    """Those of a tool that reads or writes one memory."""

    project: str | None = Field(
        default=None,
        description=(
            "The name of the user's project that this is about, if they have named one. Some "
            "projects have a memory of their own, which is known nowhere else."
        ),
    )


A = TypeVar("A", bound=Arguments)
R = TypeVar("R", bound=Item)


@dataclass(frozen=True, kw_only=True)
class Tool(Generic[A, R]):
    name: str
    title: str
    description: str
    arguments: type[A]
    result: type[R]
    run: Callable[[A], R]
    scope: Scope
    #: It may remove something, or replace it for good.
    is_destructive: bool = False
    #: The same call once more changes nothing further.
    is_idempotent: bool = True

    @functools.cached_property
    def definition(self) -> ToolDefinition:
        """Made once: schemas take milliseconds."""
        return ToolDefinition(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=self.arguments.model_json_schema(),
            output_schema=self.result.model_json_schema(mode="serialization"),
            annotations=ToolAnnotations(
                title=self.title,
                read_only_hint=self.scope == "memory:read",
                destructive_hint=self.is_destructive,
                idempotent_hint=self.is_idempotent,
                open_world_hint=False,
            ),
        )

    def call(self, arguments: dict[str, Any]) -> CallToolResult:
        """Never raises."""
        try:
            check_scope(self.scope)
            result = self.run(self._read(arguments))
            if self.scope == "memory:read":
                note_read("memory.search" if self.name in SEARCHES else "memory.read")
        except ThroughlineError as error:
            return failed(f"{error.message} ({error.code}){_when(error)}")
        except Exception as error:
            logger.exception("mcp.crashed", exc_info=error, extra={"tool": self.name})
            return failed(UNEXPECTED)
        return CallToolResult(
            content=[TextContent(type="text", text=result.model_dump_json())],
            structured_content=result.model_dump(mode="json"),
        )

    def _read(self, arguments: dict[str, Any]) -> A:
        try:
            return self.arguments.model_validate(arguments)
        except ValidationError as exc:
            raise InvalidRequestError(_explain(exc)) from exc


def check_scope(scope: Scope) -> None:
    """Raises `MissingScopeError`."""
    if scope not in g.caller.scopes:
        raise MissingScopeError((scope,))


def failed(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=message)], is_error=True)


def _when(error: ThroughlineError) -> str:
    """What `Retry-After` says elsewhere."""
    if not isinstance(error, TransientError) or error.retry_after_s is None:
        return ""
    return f" Retry after {math.ceil(error.retry_after_s)} s."


def _explain(exc: ValidationError) -> str:
    """Each argument that is wrong, and why."""
    wrong = [
        f"{'.'.join(map(str, error['loc'])) or 'arguments'}: {error['msg']}"
        for error in exc.errors(include_url=False, include_input=False)
    ]
    return "; ".join(wrong)
