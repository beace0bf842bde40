"""One job from begin to complete, the same for every kind."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable

from shared.db import PgConnection
from shared.derivations.fallback import is_hopeless
from shared.ephemeral.admission import Slot, SlotRequest
from shared.errors import LeaseLostError, MemoryYieldsError, ThroughlineError, TransientError
from shared.llm import interruptible
from shared.logs import bound_fields
from shared.metrics import FALLBACKS, LATE_WRITES
from shared.models import Claim
from shared.policy.retry import backoff_s
from shared.services import Services
from shared.store.lease import claims, waiting
from shared.store.lease.kinds import Derivation

logger = logging.getLogger(__name__)

YIELD_S = 1.0  # before a job that gave way is sent again

# Writes the finished work; False when the lease was lost.
Write = Callable[[PgConnection], bool]
# Does the work, model calls and all, holding no transaction.
Make = Callable[[Services, Claim], Write]


def work_on(
    services: Services,
    derivation: Derivation,
    job_id: int,
    make: Make,
    fall_back: Make | None = None,
) -> Claim | None:
    """Returns the claim once its work is written; None when there was nothing to do, when the
    model has no slot for it now, or when it failed.

    A job that somebody else holds, or that is done, is left alone: a task delivered twice does
    no harm. Where `make` can never succeed with this input, `fall_back` makes what is written.
    """
    with services.database.transaction() as connection:
        found = waiting.find_waiting(connection, derivation, job_id)
    if found is None:
        logger.debug("Already in progress or done: %s %s", derivation.kind, job_id)
        return None
    request = SlotRequest(
        kind=derivation.kind, job_id=job_id, in_backlog=found.in_backlog, age_s=found.age_s
    )
    slot = services.memory_limit.wait_for_slot(request)
    if not isinstance(slot, Slot):
        _yield(services, derivation, job_id, None, reason=slot)
        return None

    def make_or_fall_back(services: Services, claim: Claim) -> Write:
        return _make(services, derivation, claim, make, fall_back)

    with slot:
        return _work_in_slot(services, derivation, job_id, make_or_fall_back, slot)


def _work_in_slot(
    services: Services, derivation: Derivation, job_id: int, make: Make, slot: Slot
) -> Claim | None:
    with services.database.transaction() as connection:
        claim = claims.begin(connection, derivation, job_id, services.settings.lease_s)
    if claim is None:
        return None  # somebody else was quicker
    fields = {"kind": derivation.kind, "job_id": job_id, "conversation_id": claim.conversation_id}
    with (
        bound_fields(**fields),
        services.keeper.keep_renewed(derivation.kind, claim.fencing_token) as lost,
    ):
        try:
            with interruptible(lambda: _check(lost, slot)):
                write = make(services, claim)
            return _complete(services, derivation, claim, write)
        except MemoryYieldsError:
            _yield(services, derivation, job_id, claim.fencing_token, reason="revoked")
        except TransientError as exc:
            _put_off(services, derivation, claim, exc)
        except Exception as exc:
            _give_up(services, derivation, claim, exc)
    return None


def _check(lost: threading.Event, slot: Slot) -> None:
    """Raises when a model call is no longer worth its while."""
    if lost.is_set():
        raise LeaseLostError
    if slot.is_revoked:
        raise MemoryYieldsError


def _yield(
    services: Services,
    derivation: Derivation,
    job_id: int,
    fencing_token: int | None,
    *,
    reason: str,
) -> None:
    """Replies come first: the sweep sends the job again, and this counts as no attempt."""
    fields = {"kind": derivation.kind, "job_id": job_id, "reason": reason}
    logger.info("job.yields", extra=fields)
    with services.database.transaction() as connection:
        waiting.postpone(connection, derivation, job_id, fencing_token, YIELD_S)


def _make(
    services: Services,
    derivation: Derivation,
    claim: Claim,
    make: Make,
    fall_back: Make | None,
) -> Write:
    try:
        return make(services, claim)
    except Exception as exc:
        if fall_back is None or not _is_hopeless(services, derivation, claim, exc):
            raise
        code = exc.code if isinstance(exc, ThroughlineError) else type(exc).__name__
    fields = {"kind": derivation.kind, "job_id": claim.job_id, "code": code}
    logger.warning("job.fell_back", extra=fields)
    FALLBACKS.labels(kind=derivation.kind).inc()
    return fall_back(services, claim)


def _is_hopeless(services: Services, derivation: Derivation, claim: Claim, exc: Exception) -> bool:
    with services.database.transaction() as connection:
        failures = claims.count_failures(connection, derivation, claim)
    return is_hopeless(
        exc,
        attempts=claim.attempts,
        failures=failures,
        most=services.settings.max_attempts,
    )


def _complete(
    services: Services, derivation: Derivation, claim: Claim, write: Write
) -> Claim | None:
    with services.database.transaction() as connection:
        written = write(connection)
    if not written:
        LATE_WRITES.labels(kind=derivation.kind).inc()
        logger.warning("job.late", extra={"kind": derivation.kind, "job_id": claim.job_id})
        return None
    logger.debug("Status updated: %s %s completed", derivation.kind, claim.job_id)
    return claim


def _put_off(services: Services, derivation: Derivation, claim: Claim, exc: TransientError) -> None:
    """A passing fault: the sweep sends the job again after a while, or fails it in the end."""
    after_s = backoff_s(claim.attempts, random.random(), exc.retry_after_s)  # noqa: S311
    fields = {"kind": derivation.kind, "job_id": claim.job_id, "code": exc.code, "after_s": after_s}
    logger.warning("job.put_off", extra=fields)
    with services.database.transaction() as connection:
        claims.give_back(connection, derivation, claim, after_s=after_s, error=exc.message)


def _give_up(services: Services, derivation: Derivation, claim: Claim, exc: Exception) -> None:
    message = exc.message if isinstance(exc, ThroughlineError) else f"{type(exc).__name__}"
    logger.error(
        "job.failed",
        extra={"kind": derivation.kind, "job_id": claim.job_id},
        exc_info=None if isinstance(exc, ThroughlineError) else exc,
    )
    with services.database.transaction() as connection:
        claims.fail(connection, derivation, claim, message)
