"""Tidying: looks at a user's facts as a whole, by day. It works by rules and calls no model."""

from __future__ import annotations

from datetime import UTC, datetime

from shared.db import PgConnection, enter_memory
from shared.derivations.runner import Recipe, run_job
from shared.derivations.withholding import MOST_FACTS
from shared.facts.tidying import apply_plan
from shared.models import Claim
from shared.models.memory_scope import SHARED_MEMORY, MemoryScope, memory_of
from shared.policy.facts.tidying import Plan, Told, plan_tidying
from shared.services import Services
from shared.store import projects, tidyings, users
from shared.store.facts import sources as fact_sources
from shared.store.facts import versions as fact_versions
from shared.store.lease.kinds import TIDYING
from shared.time_zones import zone_of

MOST_CHARS = 20_000  # of one message that taught a fact


def tidy(services: Services, tidying_id: int) -> None:
    """Work on row `tidying_id` of `tidyings`, unless it is done or runs elsewhere."""
    run_job(services, RECIPE, tidying_id)


def _make(services: Services, claim: Claim) -> dict[MemoryScope, Plan]:
    """A plan for each memory: facts of two are never compared."""
    with services.database.transaction(user=claim.user_id) as connection:
        names = projects.list_with_memory(connection, claim.user_id)
    memories = [SHARED_MEMORY, *map(memory_of, names)]
    return {memory: _plan(services, claim, memory) for memory in memories}


def _plan(services: Services, claim: Claim, memory: MemoryScope) -> Plan:
    with services.database.transaction(user=claim.user_id, memory=memory) as connection:
        zone = zone_of(users.find_preferences(connection, claim.user_id).time_zone)
        facts = fact_versions.list_recallable(connection, claim.user_id, 0, MOST_FACTS)
        ids = [fact.fact_id for fact in facts]
        sources = fact_sources.list_said(connection, claim.user_id, ids, MOST_CHARS)
    told_facts = [
        Told(fact=fact, text=text, said_at=said_at.astimezone(zone))
        for fact in facts
        for text, said_at in [sources.get(fact.fact_id, ("", fact.valid_from))]
    ]
    return plan_tidying(told_facts, datetime.now(UTC))


def _write(connection: PgConnection, claim: Claim, plans: dict[MemoryScope, Plan]) -> bool:
    users.lock_user(connection, claim.user_id)
    is_written = tidyings.complete_tidying(connection, claim)
    if is_written:
        for memory, plan in plans.items():
            enter_memory(connection, memory)
            apply_plan(connection, claim.user_id, plan)
    return is_written


RECIPE = Recipe(derivation=TIDYING, make=_make, write=_write, adds_events=True)
