"""A title for a conversation, from its first messages. A title that the user gave is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shared.db import PgConnection
from shared.derivations.fallback import complete_by_stand_in
from shared.derivations.messages import read_span
from shared.derivations.parts import Limits, ask_in_parts
from shared.derivations.request import memory_request, with_input
from shared.derivations.runner import ClaimRequest, LagQuery, Recipe
from shared.llm import Completion, complete
from shared.models import Claim, Due, Message, Usage
from shared.models.job_kinds import TITLE
from shared.policy.text import storable
from shared.policy.titles import read_title, title_span
from shared.policy.transcript import render_transcript
from shared.prompts import load_prompt
from shared.services import Services
from shared.store import titles, usage, users

MAX_READ_CHARS = 2000  # of one message: the beginning of a long text is enough for a title


@dataclass(frozen=True, kw_only=True)
class MadeTitle:
    """The title that a job has made. None: the answer had none, or its messages were deleted.

    `prompt_version` None: a fallback by the stand-in.
    """

    title: str | None
    model: str
    prompt_version: str | None
    usage: Usage | None


def _claim(connection: PgConnection, request: ClaimRequest) -> Due | None:
    span = title_span(request.last_sequence)
    return titles.claim_title(
        connection, request.conversation_id, span, request.settings.dispatch_grace_s
    )


def _make(services: Services, claim: Claim) -> MadeTitle:
    settings = services.models.settings()
    version = load_prompt("title").version
    messages = _read(services, claim)
    if not messages:
        model = settings.effective_memory_model
        return MadeTitle(title=None, model=model, prompt_version=version, usage=None)
    request = memory_request("title", settings)

    def ask(part: Sequence[Message]) -> Completion:
        return complete(with_input(request, render_transcript(part)), settings)

    [answer] = ask_in_parts(request, messages, ask, settings, Limits(most_parts=1))
    return _title_from(answer, version)


def _fall_back(services: Services, claim: Claim) -> MadeTitle:
    text = render_transcript(_read(services, claim))
    request = with_input(memory_request("title", services.settings), text)
    return _title_from(complete_by_stand_in(request, services.settings), None)


def _read(services: Services, claim: Claim) -> list[Message]:
    return [
        replace(message, content=message.content[:MAX_READ_CHARS])
        for message in read_span(services, claim)
    ]


def _title_from(answer: Completion, prompt_version: str | None) -> MadeTitle:
    return MadeTitle(
        title=read_title(storable(answer.text)),
        model=answer.model,
        prompt_version=prompt_version,
        usage=Usage(tokens_in=answer.tokens_in, tokens_out=answer.tokens_out, model=answer.model),
    )


def _write(connection: PgConnection, claim: Claim, product: MadeTitle) -> bool:
    users.lock_user(connection, claim.user_id)  # before the branches that get the title, too
    is_written = titles.complete_title(
        connection,
        claim,
        title=product.title,
        model=product.model,
        prompt_version=product.prompt_version,
    )
    if is_written and product.usage:
        usage.add_usage(connection, claim.conversation_id, "title", product.usage)
    return is_written


RECIPE = Recipe(
    derivation=TITLE,
    claim=_claim,
    lag=LagQuery(rule=titles.LAG_RULE),
    make=_make,
    fall_back=_fall_back,
    write=_write,
    is_listed=True,
)
