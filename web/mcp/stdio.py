"""The protocol over standard input and output, for clients that start a program.

It holds nothing: each request goes to a running site, and its answer comes back. So the tools are
the site's, and the site decides who may do what.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequest,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsRequest,
    ListPromptsResult,
    ListResourcesRequest,
    ListResourcesResult,
    ListResourceTemplatesRequest,
    ListResourceTemplatesResult,
    ListToolsRequest,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequest,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
)

from web.mcp.about import INSTRUCTIONS, NAME, TITLE, VERSION
from web.mcp.site_client import SiteClient

# Each request that is passed on: what it asks, with what, and what comes back.
PASSED_ON: tuple[tuple[type[Any], type[Any], type[Any]], ...] = (
    (ListToolsRequest, PaginatedRequestParams, ListToolsResult),
    (ListResourcesRequest, PaginatedRequestParams, ListResourcesResult),
    (ListResourceTemplatesRequest, PaginatedRequestParams, ListResourceTemplatesResult),
    (ReadResourceRequest, ReadResourceRequestParams, ReadResourceResult),
    (ListPromptsRequest, PaginatedRequestParams, ListPromptsResult),
    (GetPromptRequest, GetPromptRequestParams, GetPromptResult),
)


async def serve(site: SiteClient) -> None:
    """Answer until standard input ends."""
    server = make_server(site)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def make_server(site: SiteClient) -> Server[Any]:
    server: Server[Any] = Server(NAME, title=TITLE, version=VERSION, instructions=INSTRUCTIONS)
    server.middleware.clear()  # OpenTelemetry's, which the SDK adds by itself
    for request, params, result in PASSED_ON:
        method = request.model_fields["method"].default
        server.add_request_handler(method, params, _pass_on(site, request, result))
    server.add_request_handler("tools/call", CallToolRequestParams, _call_tool(site))
    return server


def _pass_on(
    site: SiteClient, request: type[Any], result: type[Any]
) -> Callable[[Any, Any], Awaitable[Any]]:
    async def answer(_: Any, params: Any) -> Any:
        return await site.ask(request(params=params), result)

    return answer


def _call_tool(site: SiteClient) -> Callable[[Any, Any], Awaitable[Any]]:
    async def answer(_: Any, params: CallToolRequestParams) -> CallToolResult:
        """A site that is away is told to the model, as any other failure of a tool."""
        try:
            return await site.ask(CallToolRequest(params=params), CallToolResult)
        except MCPError as exc:
            text = TextContent(type="text", text=exc.error.message)
            return CallToolResult(content=[text], is_error=True)

    return answer
