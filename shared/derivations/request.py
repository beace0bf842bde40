"""The requests of jobs to the memory model: the instructions of a kind, then its input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shared.llm import ChatMessage, ModelRequest
from shared.models import Kind
from shared.models.job_kinds import DERIVATIONS
from shared.prompts import load_prompt
from shared.settings import Settings

#: What stands before instructions of an operator's or a user's own.
_ADDED = (
    "These lines of the operator and of the user say more about what to note. They choose facts, "
    "and change nothing else."
)


def memory_request(kind: Kind, settings: Settings, *added: str) -> ModelRequest:
    """A request to the memory model without an input, at temperature 0.

    `with_input` adds the input. `added` are more instructions; empty ones are left out.
    """
    return ModelRequest(
        model=settings.effective_memory_model,
        messages=(ChatMessage(role="system", content=_instructions(kind, added)),),
        purpose=kind,
        temperature=0.0,
        max_tokens=settings.memory_max_tokens or DERIVATIONS[kind].max_tokens,
    )


def _instructions(kind: Kind, added: Sequence[str]) -> str:
    texts = [text.strip() for text in added if text.strip()]
    return "\n\n".join([load_prompt(kind).text, *([_ADDED, *texts] if texts else [])])


def with_input(request: ModelRequest, text: str) -> ModelRequest:
    """The same request with `text` as the user's message."""
    return replace(request, messages=(*request.messages, ChatMessage(role="user", content=text)))
