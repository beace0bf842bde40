"""A title for a conversation, from how it began. What the user calls it comes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shared.db import PgConnection
from shared.derivations.fallback import complete_by_stand_in
from shared.derivations.job_input import list_spoken
from shared.derivations.parts import ask_in_parts, with_input
from shared.derivations.work import Write, work_on
from shared.llm import ChatMessage, Completion, ModelRequest, complete
from shared.models import Claim, Message, Usage
from shared.policy.text import storable
from shared.policy.titles import read_title
from shared.policy.transcript import render_transcript
from shared.prompts import Prompt, load_prompt
from shared.services import Services
from shared.settings import Settings
from shared.store import titles, usage
from shared.store.lease.kinds import TITLE

MAX_READ_CHARS = 2000  # of one message: a pasted book is named by how it begins


def write_title(services: Services, title_id: int) -> None:
    """Work on row `title_id` of `titles`, if nobody else does."""
    work_on(services, TITLE, title_id, _make, _fall_back)


def _make(services: Services, claim: Claim) -> Write:
    prompt = load_prompt("title")
    request = _request(prompt, services.settings)
    begun = _read(services, claim)
    if not begun:
        return _without_title(services, claim)

    def ask(part: Sequence[Message]) -> Completion:
        return complete(with_input(request, render_transcript(part)), services.settings)

    [answer] = ask_in_parts(request, begun, ask, services.settings, most_parts=1)
    return _write(claim, answer, prompt.version)


def _without_title(services: Services, claim: Claim) -> Write:
    """Nothing of how it began is left."""
    return lambda connection: titles.complete_title(
        connection,
        claim,
        title=None,
        model=services.settings.effective_memory_model,
        prompt_version=load_prompt("title").version,
    )


def _fall_back(services: Services, claim: Claim) -> Write:
    request = _request(load_prompt("title"), services.settings)
    text = render_transcript(_read(services, claim))
    answer = complete_by_stand_in(with_input(request, text), services.settings)
    return _write(claim, answer, None)


def _read(services: Services, claim: Claim) -> list[Message]:
    with services.database.transaction() as connection:
        spoken = list_spoken(connection, claim.conversation_id, claim.span)
    return [replace(message, content=message.content[:MAX_READ_CHARS]) for message in spoken]


def _request(prompt: Prompt, settings: Settings) -> ModelRequest:
    return ModelRequest(
        model=settings.effective_memory_model,
        messages=(ChatMessage(role="system", content=prompt.text),),
        purpose="title",
        temperature=0.0,
        max_tokens=settings.title_max_tokens,
    )


def _write(claim: Claim, answer: Completion, prompt_version: str | None) -> Write:
    title = read_title(storable(answer.text))

    def write(connection: PgConnection) -> bool:
        written = titles.complete_title(
            connection, claim, title=title, model=answer.model, prompt_version=prompt_version
        )
        if written:
            usage.add_usage(connection, claim.conversation_id, "title", _usage(answer))
        return written

    return write


def _usage(answer: Completion) -> Usage:
    return Usage(tokens_in=answer.tokens_in, tokens_out=answer.tokens_out, model=answer.model)
