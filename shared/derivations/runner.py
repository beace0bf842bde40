"""Runs one job of any kind from begin to completion.

A worker takes a slot at the memory model, and begins the job, which gives it a lease and a fencing
token. It makes the product with no transaction open, and writes it with the token. A worker that
has lost its lease writes nothing.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from shared.broker.sending import send_due
from shared.db import PgConnection
from shared.derivations.fallback import is_hopeless
from shared.derivations.slot_requests import request_slot
from shared.ephemeral.admission import Slot
from shared.errors import LeaseLostError, MemoryYieldsError, ThroughlineError, TransientError
from shared.events.announcements import announce, announce_change, announce_job
from shared.llm import interruptible
from shared.logs import bound_fields
from shared.metrics.counters import FALLBACKS, LATE_WRITES
from shared.models import Claim, ConversationId, Due, UserId, job_failed
from shared.models.job_kinds import Derivation
from shared.policy.retry import backoff_s
from shared.services import Services
from shared.settings import Settings
from shared.store import conversations, events
from shared.store.lease import claims, waiting
from shared.store.lease.lagging import LagRule
from shared.tracing import span

logger = logging.getLogger(__name__)

YIELD_S = 1.0  # a postponed job waits at least so long before it is sent again

Product = TypeVar("Product")

#: How a worker's work on a job ended. `put_off`: it was given back, or its lease was lost.
Ending = Literal["written", "failed", "put_off"]


#: Why a claim is made: after a round, by the sweep, for what a job has left, or at its user's wish.
Occasion = Literal["round", "sweep", "rest", "rerun"]


@dataclass(frozen=True, kw_only=True)
class ClaimRequest:
    """A conversation in which a job may be due. The caller has locked it."""

    conversation_id: ConversationId
    #: Its newest message.
    last_sequence: int
    settings: Settings
    occasion: Occasion


@dataclass(frozen=True, kw_only=True)
class LagQuery:
    """Finds the conversations that are behind, for the sweep."""

    rule: LagRule
    #: The arguments of the rule's conditions.
    arguments: Callable[[Settings], dict[str, object]] = lambda _: {}


@dataclass(frozen=True, kw_only=True)
class Recipe(Generic[Product]):
    """How the jobs of one kind are claimed and done."""

    derivation: Derivation
    #: Claims a job that is due. None: none is, or one is in progress.
    claim: Callable[[PgConnection, ClaimRequest], Due | None]
    #: None: the sweep claims no such job.
    lag: LagQuery | None = None
    #: Reads the messages and asks the model. No transaction is open while the model answers.
    make: Callable[[Services, Claim], Product]
    #: Used if `make` can never succeed with this input. None: then the job fails.
    fall_back: Callable[[Services, Claim], Product] | None = None
    #: Writes the product and completes the row, in one transaction. False: the lease was lost.
    write: Callable[[PgConnection, Claim, Product], bool]
    #: Whether `write` may add events. Whoever waits for them is told after the commit.
    adds_events: bool = False
    #: Whether its product shows in the list of conversations.
    is_listed: bool = False
    #: Done after the commit. The last argument is how long the job took, in seconds.
    after: Callable[[Services, Claim, float], None] = lambda *_: None
    #: Whether a job may leave messages, which are claimed as soon as it is done.
    leaves_rest: bool = False
    #: Claims what is due once no messages are left.
    claim_next: Callable[[PgConnection, Claim, Settings], Due | None] = lambda *_: None


def run_job(services: Services, recipe: Recipe[Product], job_id: int) -> None:
    """Run the job, unless it is completed or runs elsewhere: a task may be delivered twice."""
    began, derivation = time.perf_counter(), recipe.derivation
    with services.database.upkeep() as connection:
        waiting_job = waiting.find_waiting(connection, derivation, job_id)
    if waiting_job is None:
        logger.debug("Already in progress or done: %s %s", derivation.kind, job_id)
        return
    request = request_slot(services, derivation.kind, job_id, in_backlog=waiting_job.in_backlog)
    slot = services.memory_limit.wait_for_slot(request)
    if not isinstance(slot, Slot):
        _postpone(services, _Held(derivation, waiting_job.user_id, job_id), reason=slot)
        return
    with slot:
        with services.database.transaction(user=waiting_job.user_id) as connection:
            claim = claims.begin(connection, derivation, job_id, services.settings.lease_s)
        if claim is None:
            return  # another worker was quicker
        announce_job(services, derivation.kind, claim, is_running=True)
        ending = Run(services=services, recipe=recipe, claim=claim).finish(slot)
    if ending == "failed" or (ending == "written" and recipe.adds_events):
        announce(services, claim.user_id)
    if ending == "written" and recipe.is_listed:
        announce_change(services, claim.user_id, claim.conversation_id)
    announce_job(services, derivation.kind, claim, is_running=False)
    if ending == "written":
        recipe.after(services, claim, time.perf_counter() - began)
        send_due(services.broker, _claim_following(services, recipe, claim))


def _claim_following(services: Services, recipe: Recipe[Any], claim: Claim) -> list[Due]:
    """Claim what the job has left, or else what is due after it, in the backlog if it was there."""
    if not recipe.leaves_rest:
        return []
    with services.database.transaction(user=claim.user_id) as connection:
        conversation = conversations.lock_any_conversation(connection, claim.conversation_id)
        due = None
        if conversation and conversation.mode != "off":  # it was not deleted meanwhile
            request = ClaimRequest(
                conversation_id=claim.conversation_id,
                last_sequence=conversation.last_sequence,
                settings=services.settings,
                occasion="rest",
            )
            due = recipe.claim(connection, request)
        due = due or recipe.claim_next(connection, claim, services.settings)
        if due and claim.in_backlog:
            due = claims.put_in_backlog(connection, due)
    return [due] if due else []


@dataclass(frozen=True, kw_only=True)
class Run(Generic[Product]):
    """A job that this worker has begun."""

    services: Services
    recipe: Recipe[Product]
    claim: Claim

    def finish(self, slot: Slot) -> Ending:
        """Make and write the product."""
        kind, claim = self.recipe.derivation.kind, self.claim
        ids = {"throughline.job_id": claim.job_id, "throughline.attempt": claim.attempts}
        with (
            bound_fields(kind=kind, job_id=claim.job_id, conversation_id=claim.conversation_id),
            span(f"job {kind}", {"throughline.conversation_id": claim.conversation_id, **ids}),
            self.services.keeper.keep_renewed(kind, claim.fencing_token) as lost,
        ):
            try:
                with interruptible(lambda: _check(lost, slot), in_steps=slot.yields):
                    product = self._make()
                return "written" if self._write(product) else "put_off"
            except MemoryYieldsError:
                job = _Held(
                    self.recipe.derivation, claim.user_id, claim.job_id, claim.fencing_token
                )
                _postpone(self.services, job, reason="revoked")
            except TransientError as exc:
                self._give_back(exc)
            except Exception as exc:
                self._fail(exc)
                return "failed"
        return "put_off"

    def _make(self) -> Product:
        try:
            return self.recipe.make(self.services, self.claim)
        except Exception as exc:
            if self.recipe.fall_back is None or not self._is_hopeless(exc):
                raise
            code = exc.code if isinstance(exc, ThroughlineError) else type(exc).__name__
        logger.warning("job.fell_back", extra={"code": code})
        FALLBACKS.labels(kind=self.recipe.derivation.kind).inc()
        return self.recipe.fall_back(self.services, self.claim)

    def _is_hopeless(self, error: Exception) -> bool:
        with self.services.database.transaction(user=self.claim.user_id) as connection:
            failures = claims.count_failures(connection, self.recipe.derivation, self.claim)
        return is_hopeless(
            error,
            attempts=self.claim.attempts,
            failures=failures,
            most=self.services.max_attempts,
        )

    def _write(self, product: Product) -> bool:
        with self.services.database.transaction(user=self.claim.user_id) as connection:
            is_written = self.recipe.write(connection, self.claim, product)
        kind = self.recipe.derivation.kind
        if is_written:
            logger.debug("Status updated: %s %s completed", kind, self.claim.job_id)
        else:
            LATE_WRITES.labels(kind=kind).inc()
            logger.warning("job.late")
        return is_written

    def _give_back(self, error: TransientError) -> None:
        """After a passing fault the sweep sends the job again, or fails it (last attempt)."""
        after_s = backoff_s(self.claim.attempts, random.random(), error.retry_after_s)  # noqa: S311
        fields = {"code": error.code, "after_s": after_s}
        logger.warning("job.put_off", extra=fields)
        with self.services.database.transaction(user=self.claim.user_id) as connection:
            claims.give_back(
                connection,
                self.recipe.derivation,
                self.claim,
                after_s=after_s,
                error=error.message,
            )

    def _fail(self, error: Exception) -> None:
        is_ours = isinstance(error, ThroughlineError)
        logger.error("job.failed", exc_info=None if is_ours else error)
        message = error.message if isinstance(error, ThroughlineError) else type(error).__name__
        claim, derivation = self.claim, self.recipe.derivation
        with self.services.database.transaction(user=self.claim.user_id) as connection:
            if claims.fail(connection, derivation, claim, message):
                failed = job_failed(derivation.kind, claim.job_id, claim.conversation_id)
                events.add_event(connection, claim.user_id, failed)


def _check(lost: threading.Event, slot: Slot) -> None:
    """Raises if the running model call should stop."""
    if lost.is_set():
        raise LeaseLostError
    if slot.is_revoked:
        raise MemoryYieldsError


class _Held(NamedTuple):
    """A job that waits, or that this worker has begun: then it has a token."""

    derivation: Derivation
    user_id: UserId
    job_id: int
    fencing_token: int | None = None


def _postpone(services: Services, job: _Held, *, reason: str) -> None:
    """Postpone the job in favour of replies. The sweep sends it again; no attempt is counted."""
    derivation, user_id, job_id, fencing_token = job
    logger.info("job.yields", extra={"kind": derivation.kind, "job_id": job_id, "reason": reason})
    with services.database.transaction(user=user_id) as connection:
        waiting.postpone(connection, derivation, job_id, fencing_token, YIELD_S)
