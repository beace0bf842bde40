"""One short call about all of a user's facts: which of them are about the same thing."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from shared.errors import InterruptedWorkError, ThroughlineError
from shared.llm.input_budget import input_budget
from shared.llm.request import ChatMessage, ModelRequest
from shared.llm.schemas import TidyingAnswer
from shared.llm.structured_output import ask_once
from shared.llm.token_counts import count_tokens
from shared.models import Fact, Usage
from shared.models.job_kinds import TIDYING
from shared.policy.facts.groups import Group, render_numbered
from shared.prompts import load_prompt
from shared.settings import STAND_IN_MODEL, Settings

logger = logging.getLogger(__name__)


def can_group(settings: Settings) -> bool:
    """Whether a model does memory's jobs. The stand-in would group nothing."""
    return settings.effective_memory_model != STAND_IN_MODEL


def ask_for_groups(facts: Sequence[Fact], settings: Settings) -> tuple[list[Group], Usage | None]:
    """The groups by the numbers of `facts`, and the tokens. Without a usable answer none.

    The call is not repeated. Raises `InterruptedWorkError` alone.
    """
    try:
        answer, usage = ask_once(_make_request(facts, settings), TidyingAnswer, settings)
    except InterruptedWorkError:
        raise
    except ThroughlineError as exc:
        logger.info("tidying.by_rules_alone", extra={"code": exc.code})
        return [], None
    groups = answer.groups if answer else ()
    return [Group(numbers=each.facts, is_same=each.relation == "same") for each in groups], usage


def _make_request(facts: Sequence[Fact], settings: Settings) -> ModelRequest:
    """The request with as many of the facts as the model has room for."""
    model = settings.effective_memory_model
    system = ChatMessage(role="system", content=load_prompt("tidying").text)
    request = ModelRequest(
        model=model,
        messages=(system,),
        purpose="facts",
        temperature=0.0,
        max_tokens=settings.memory_max_tokens or TIDYING.max_tokens,
    )
    budget, count = input_budget(request, settings), count_tokens(model)
    while budget is not None and facts and count(render_numbered(facts)) > budget:
        facts = facts[: len(facts) // 2]
    content = render_numbered(facts)
    return replace(request, messages=(system, ChatMessage(role="user", content=content)))
