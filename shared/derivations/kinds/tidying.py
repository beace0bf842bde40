"""Tidying: looks at a user's facts as a whole, by day, by rules and with one call of a model.

The model is asked once a day at most, and only if a fact has come since. The stand-in is not asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from shared.db import PgConnection, enter_memory
from shared.derivations.model_check import begin_check
from shared.derivations.runner import ClaimRequest, Recipe
from shared.derivations.withholding import MOST_FACTS
from shared.facts.tidying import apply_plan
from shared.llm.fact_groups import ask_for_groups, can_group
from shared.llm.trust import is_trusted
from shared.models import Claim, Due, Usage
from shared.models.job_kinds import TIDYING
from shared.models.memory_scope import SHARED_MEMORY, MemoryScope, memory_of
from shared.policy.facts.groups import add_groups, list_ungrouped
from shared.policy.facts.tidying import Plan, Told, plan_tidying
from shared.services import Services
from shared.settings import Settings
from shared.store import conversations, projects, tidyings, usage, users
from shared.store.facts import sources as fact_sources
from shared.store.facts import versions as fact_versions
from shared.time_zones import zone_of

PAUSE_S = 86_400


def claim_tidying_of_day(connection: PgConnection, after: Claim, settings: Settings) -> Due | None:
    """Claim a tidying when a job of facts is done and none was claimed for a day."""
    if not tidyings.is_due(connection, after.user_id, PAUSE_S):
        return None
    return tidyings.claim_tidying(connection, after.user_id, settings.dispatch_grace_s)


def _claim(connection: PgConnection, request: ClaimRequest) -> Due | None:
    """Claim one if the user's newest has failed, whatever conversation it belongs to."""
    conversation = conversations.lock_any_conversation(connection, request.conversation_id)
    newest = tidyings.find_newest(connection, conversation.user_id) if conversation else None
    if conversation is None or newest is None or not newest.has_failed:
        return None
    return tidyings.claim_tidying(
        connection, conversation.user_id, request.settings.dispatch_grace_s
    )


@dataclass(frozen=True, kw_only=True)
class Tidying:
    """What is to be done in each memory, and the tokens of the model's call, if there was one."""

    plans: dict[MemoryScope, Plan]
    used: Usage | None


def _make(services: Services, claim: Claim) -> Tidying:
    """A plan for each memory: facts of two are never compared.

    The model is asked about the shared memory alone, since a day has one call.
    """
    with services.database.transaction(user=claim.user_id) as connection:
        names = projects.list_with_memory(connection, claim.user_id)
    memories = [SHARED_MEMORY, *map(memory_of, names)]
    facts_by_memory = {memory: _read(services, claim, memory) for memory in memories}
    now = datetime.now(UTC)
    plans = {memory: plan_tidying(members, now) for memory, members in facts_by_memory.items()}
    facts = [member.fact for member in facts_by_memory[SHARED_MEMORY]]
    plan, settings = plans[SHARED_MEMORY], services.models.settings()
    shown = list_ungrouped(facts, plan)
    if len(shown) < 2 or not can_group(settings) or not _claim_call(services, claim):
        return Tidying(plans=plans, used=None)
    model = settings.effective_memory_model
    begin_check(services, model)
    groups, used = ask_for_groups(shown, settings)
    plans[SHARED_MEMORY] = add_groups(plan, groups, shown, may_ask=is_trusted(model, settings))
    return Tidying(plans=plans, used=used)


def _read(services: Services, claim: Claim, memory: MemoryScope) -> list[Told]:
    with services.database.transaction(user=claim.user_id, memory=memory) as connection:
        zone = zone_of(users.find_preferences(connection, claim.user_id).time_zone)
        facts = fact_versions.list_recallable(connection, claim.user_id, 0, MOST_FACTS)
        ids = [fact.fact_id for fact in facts]
        sources = fact_sources.list_said(connection, claim.user_id, ids)
    return [
        Told(fact=fact, said_at=said_at.astimezone(zone))
        for fact in facts
        for said_at in [sources.get(fact.fact_id, fact.valid_from)]
    ]


def _claim_call(services: Services, claim: Claim) -> bool:
    """Count the call before it is made, so that a job that is run again makes no second one."""
    with services.database.transaction(user=claim.user_id) as connection:
        return users.claim_grouping(connection, claim.user_id)


def _write(connection: PgConnection, claim: Claim, tidying: Tidying) -> bool:
    users.lock_user(connection, claim.user_id)
    is_written = tidyings.complete_tidying(connection, claim)
    if is_written:
        for memory, plan in tidying.plans.items():
            enter_memory(connection, memory)
            apply_plan(connection, claim.user_id, plan)
        if tidying.used:
            usage.add_usage(connection, claim.conversation_id, "facts", tidying.used)
    return is_written


RECIPE = Recipe(derivation=TIDYING, claim=_claim, make=_make, write=_write, adds_events=True)
