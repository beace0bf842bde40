"""The requests of jobs to the memory model: the instructions of a task, then its input."""

from __future__ import annotations

from dataclasses import replace

from shared.llm import ChatMessage, ModelRequest
from shared.prompts import Task, load_prompt
from shared.settings import Settings


def memory_request(task: Task, settings: Settings) -> ModelRequest:
    """The instructions without an input, at temperature 0. `with_input` adds the input."""
    max_tokens: dict[Task, int] = {
        "summary": settings.summary_max_tokens,
        "episode": settings.episode_max_tokens,
        "facts": settings.facts_max_tokens,
        "title": settings.title_max_tokens,
    }
    return ModelRequest(
        model=settings.effective_memory_model,
        messages=(ChatMessage(role="system", content=load_prompt(task).text),),
        purpose=task,
        temperature=0.0,
        max_tokens=max_tokens[task],
    )


def with_input(request: ModelRequest, text: str) -> ModelRequest:
    """The same request with `text` as the user's message."""
    return replace(request, messages=(*request.messages, ChatMessage(role="user", content=text)))
