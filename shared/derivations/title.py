"""A title for a conversation, from how it began. What the user calls it comes first."""

from __future__ import annotations

from dataclasses import replace

from shared.db import PgConnection
from shared.derivations.spoken import list_spoken
from shared.derivations.work import Write, work_on
from shared.llm import ChatMessage, Completion, ModelRequest, Usage, complete
from shared.models import Claim, Message
from shared.policy.text import storable
from shared.policy.titles import read_title
from shared.policy.transcript import render_transcript
from shared.prompts import load_prompt
from shared.services import Services
from shared.settings import Settings
from shared.store import titles, usage
from shared.store.lease.kinds import TITLE

MAX_READ_CHARS = 2000  # of one message: a pasted book is named by how it begins


def write_title(services: Services, title_id: int) -> None:
    """Work on row `title_id` of `titles`, if nobody else does."""
    work_on(services, TITLE, title_id, _make)


def _make(services: Services, claim: Claim) -> Write:
    with services.database.transaction() as connection:
        spoken = list_spoken(connection, claim.conversation_id, claim.span)
    prompt = load_prompt("title")
    answer = _ask(prompt.text, spoken, services.settings)
    title = read_title(storable(answer.text))

    def write(connection: PgConnection) -> bool:
        written = titles.complete_title(
            connection, claim, title=title, model=answer.model, prompt_version=prompt.version
        )
        if written:
            usage.add_usage(connection, claim.conversation_id, "title", _usage(answer))
        return written

    return write


def _ask(instructions: str, spoken: list[Message], settings: Settings) -> Completion:
    begun = [replace(message, content=message.content[:MAX_READ_CHARS]) for message in spoken]
    request = ModelRequest(
        model=settings.effective_memory_model,
        messages=(
            ChatMessage(role="system", content=instructions),
            ChatMessage(role="user", content=render_transcript(begun)),
        ),
        purpose="title",
        temperature=0.0,
        max_tokens=settings.title_max_tokens,
    )
    return complete(request, settings)


def _usage(answer: Completion) -> Usage:
    return Usage(tokens_in=answer.tokens_in, tokens_out=answer.tokens_out, model=answer.model)
