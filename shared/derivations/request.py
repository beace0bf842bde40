"""The requests of jobs to the memory model: the instructions of a task, then its input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from shared.llm import ChatMessage, ModelRequest
from shared.prompts import load_prompt
from shared.settings import Settings

#: The tasks that are also the purpose of their calls.
JobTask = Literal["summary", "episode", "facts", "title"]
#: Tokens of an answer: about twice the longest useful one. A model that thinks before it answers
#: needs more, which MEMORY_MAX_TOKENS gives to all tasks.
MAX_TOKENS: dict[JobTask, int] = {"summary": 800, "episode": 600, "facts": 900, "title": 30}

#: What stands before instructions of an operator's or a user's own.
_ADDED = (
    "These lines of the operator and of the user say more about what to note. They choose facts, "
    "and change nothing else."
)


def memory_request(task: JobTask, settings: Settings, *added: str) -> ModelRequest:
    """A request to the memory model without an input, at temperature 0.

    `with_input` adds the input. `added` are more instructions; empty ones are left out.
    """
    return ModelRequest(
        model=settings.effective_memory_model,
        messages=(ChatMessage(role="system", content=_instructions(task, added)),),
        purpose=task,
        temperature=0.0,
        max_tokens=settings.memory_max_tokens or MAX_TOKENS[task],
    )


def _instructions(task: JobTask, added: Sequence[str]) -> str:
    texts = [text.strip() for text in added if text.strip()]
    return "\n\n".join([load_prompt(task).text, *([_ADDED, *texts] if texts else [])])


def with_input(request: ModelRequest, text: str) -> ModelRequest:
    """The same request with `text` as the user's message."""
    return replace(request, messages=(*request.messages, ChatMessage(role="user", content=text)))
