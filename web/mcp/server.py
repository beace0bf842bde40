"""The server of the protocol: which of our functions answers which request.

Handlers run inside the request that brought them: `g.caller` and `transaction()` are that
request's. They never wait for anything of an event loop, since each request has a loop of its own
(`exchange.py`).
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
)

from shared.errors import ForbiddenError, InvalidRequestError, RequestError, ThroughlineError
from web.mcp import resources
from web.mcp.about import INSTRUCTIONS, NAME, TITLE, VERSION
from web.mcp.tool import UNEXPECTED, Tool, check_scope, failed
from web.mcp.tools.facts import CORRECT, LIST_FACTS
from web.mcp.tools.forget import FORGET
from web.mcp.tools.recall import RECALL, RecallArguments, recall
from web.mcp.tools.remember import REMEMBER
from web.mcp.tools.search import SEARCH

logger = logging.getLogger(__name__)

TOOLS: dict[str, Tool[Any, Any]] = {
    tool.name: tool for tool in (REMEMBER, RECALL, SEARCH, LIST_FACTS, CORRECT, FORGET)
}

# What users pick in their client's menu.
WITH_MEMORY = Prompt(
    name="with_memory",
    title="Ask with memory",
    description="Your question, together with what is remembered that helps to answer it.",
    arguments=[PromptArgument(name="question", description="What to ask.", required=True)],
)

T = TypeVar("T")


@functools.cache
def make_server() -> Server[Any]:
    server: Server[Any] = Server(
        NAME,
        title=TITLE,
        version=VERSION,
        instructions=INSTRUCTIONS,
        get_tool_input_schema=_find_input_schema,
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
        on_list_resources=_list_resources,
        on_list_resource_templates=_list_templates,
        on_read_resource=_read_resource,
        on_list_prompts=_list_prompts,
        on_get_prompt=_get_prompt,
    )
    server.middleware.clear()  # OpenTelemetry's, which the SDK adds by itself
    return server


def _find_input_schema(name: str) -> dict[str, Any] | None:
    tool = TOOLS.get(name)
    return tool.definition.input_schema if tool else None


async def _list_tools(_: Any, __: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(tools=[tool.definition for tool in TOOLS.values()])


async def _call_tool(_: Any, params: CallToolRequestParams) -> CallToolResult:
    tool = TOOLS.get(params.name)
    if tool is None:
        return failed(f"There is no such tool. There are: {', '.join(TOOLS)}.")
    return tool.call(params.arguments or {})


async def _list_resources(_: Any, params: PaginatedRequestParams | None) -> ListResourcesResult:
    return _answer(lambda: resources.list_resources(params.cursor if params else None))


async def _list_templates(_: Any, __: PaginatedRequestParams | None) -> ListResourceTemplatesResult:
    return resources.list_templates()


async def _read_resource(_: Any, params: ReadResourceRequestParams) -> ReadResourceResult:
    return _answer(lambda: resources.read_resource(params.uri))


async def _list_prompts(_: Any, __: PaginatedRequestParams | None) -> ListPromptsResult:
    return ListPromptsResult(prompts=[WITH_MEMORY])


async def _get_prompt(_: Any, params: GetPromptRequestParams) -> GetPromptResult:
    return _answer(lambda: _write_prompt(params.name, params.arguments or {}))


def _write_prompt(name: str, arguments: Mapping[str, str]) -> GetPromptResult:
    """Raises `InvalidRequestError`."""
    if name != WITH_MEMORY.name:
        raise InvalidRequestError("name: there is no such prompt.")
    question = arguments.get("question", "")
    result = recall(RecallArguments(question=question))
    parts = [part for part in (result.memory, question) if part]
    return GetPromptResult(
        description=WITH_MEMORY.description,
        messages=[
            PromptMessage(role="user", content=TextContent(type="text", text="\n\n".join(parts)))
        ],
    )


def _answer(call: Callable[[], T]) -> T:
    """For readers of memory that are no tools. Their errors are the protocol's."""
    try:
        check_scope("memory:read")
        return call()
    except MCPError:
        raise
    except ThroughlineError as exc:
        raise MCPError(code=_code_of(exc), message=f"{exc.message} ({exc.code})") from exc
    except Exception as exc:
        logger.exception("mcp.crashed", exc_info=exc)
        raise MCPError(code=INTERNAL_ERROR, message=UNEXPECTED) from exc


def _code_of(error: ThroughlineError) -> int:
    if isinstance(error, ForbiddenError):
        return INVALID_REQUEST
    return INVALID_PARAMS if isinstance(error, RequestError) else INTERNAL_ERROR
