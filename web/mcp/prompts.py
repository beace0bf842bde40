"""Prompts, which a user picks in their client's menu."""

from __future__ import annotations

from collections.abc import Mapping

from mcp.types import (
    GetPromptResult,
    ListPromptsResult,
    Prompt,
    PromptArgument,
    PromptMessage,
    TextContent,
)

from shared.errors import InvalidRequestError
from web.mcp.tools.recall import RecallArguments, recall

WITH_MEMORY = Prompt(
    name="with_memory",
    title="Ask with memory",
    description="Your question, together with what is remembered that helps to answer it.",
    arguments=[PromptArgument(name="question", description="What to ask.", required=True)],
)


def list_prompts() -> ListPromptsResult:
    return ListPromptsResult(prompts=[WITH_MEMORY])


def get_prompt(name: str, arguments: Mapping[str, str]) -> GetPromptResult:
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
