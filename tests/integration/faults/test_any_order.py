"""Rounds, jobs, lost leases and sweeps in any order: what must always hold, holds after each."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from shared.errors import (
    AlreadySentError,
    ConflictError,
    KeyReusedError,
    NotFoundError,
    RoundInProgressError,
)
from shared.maintenance.sweep import catch_up, sweep
from shared.maintenance.verify import find_breaches
from shared.models import Claim, Due, Kind, MessageStatus, OpenRound, Outcome
from shared.models.job_kinds import DERIVATIONS
from shared.rounds.opening import open_round
from shared.rounds.requests import Retry, Rewording
from shared.services import Services
from shared.store import conversations, episodes, summaries, titles
from shared.store.facts import extractions
from shared.store.lease import claims
from tests.budgets import count_cases
from tests.integration.conversing import USER, Conversing
from tests.integration.worker import expire_leases, list_jobs, run_sql, work_off
from tests.services import MakeSettings, as_owner

NOW = datetime.now(UTC)
SUMMARY = summaries.NewSummary(
    memory_text="-", points=(), model="m", prompt_version="1", generation_time_ms=1
)
EPISODE = episodes.NewEpisode(
    summary="-", key_concepts=(), started_at=NOW, ended_at=NOW, model="m", prompt_version="1"
)
CONVERSATIONS = 2
Held = tuple[Kind, Claim]

places = st.integers(0, CONVERSATIONS - 1)
statuses: st.SearchStrategy[MessageStatus] = st.sampled_from(("complete", "partial", "failed"))


def complete(product: Services, job: Held, *, all_read: bool = True) -> bool:
    """A worker's last write, without a model."""
    kind, claim = job
    with as_owner(product) as connection:
        if kind == "summary":
            return summaries.complete_summary(connection, claim, SUMMARY)
        if kind == "episode":
            return episodes.complete_episode(connection, claim, EPISODE)
        if kind == "title":
            return titles.complete_title(
                connection, claim, title="-", model="m", prompt_version="1"
            )
        end = claim.span.end if all_read else claim.span.start + claim.span.start % 2
        return extractions.complete_extraction(
            connection, claim, end=end, model="m", prompt_version="1"
        )


def begin_and_complete(product: Services, kind: Kind, job_id: int) -> None:
    claim = Conversing(product).begin(DERIVATIONS[kind], job_id)
    if claim is not None:
        complete(product, (kind, claim))


class Lives(RuleBasedStateMachine):
    """Two conversations, any number of workers, some of which come back from the dead."""

    open_rounds: Bundle[OpenRound] = Bundle("open_rounds")
    held: Bundle[Held] = Bundle("held")

    def __init__(self, product: Services) -> None:
        super().__init__()
        self.product = product

    @initialize()
    def begin_with_nothing(self) -> None:
        run_sql(self.product, "TRUNCATE users CASCADE")
        self.talks = [Conversing(self.product) for _ in range(CONVERSATIONS)]
        self.newest: dict[tuple[Kind, int], int] = {}  # who began each job last
        self.done: set[tuple[Kind, int]] = set()

    @rule(target=open_rounds, place=places, key=st.sampled_from((None, None, "a", "b")))
    def say(self, place: int, key: str | None) -> OpenRound | MultipleResults[OpenRound]:
        try:
            return self.talks[place].open(f"To {place}", idempotency_key=key)
        except (RoundInProgressError, AlreadySentError, KeyReusedError):
            return multiple()

    @rule(place=places, count=st.integers(1, 4))
    def have_rounds(self, place: int, count: int) -> None:
        with suppress(RoundInProgressError):
            for _ in range(count):
                self.talks[place].round()

    @rule(current_round=open_rounds, status=statuses)
    def close(self, current_round: OpenRound, status: MessageStatus) -> None:
        """Also a second time, and long after the sweep has closed it."""
        text = "" if status == "failed" else "Reply."
        self.talks[0].close(current_round, Outcome(status=status, content=text))

    @rule(target=open_rounds, place=places)
    def write_again(self, place: int) -> OpenRound | MultipleResults[OpenRound]:
        talk = self.talks[place]
        with suppress(ConflictError), as_owner(self.product) as connection:
            conversation_id = talk.conversation_id
            if conversation_id is not None and (newest := self._last_sequence(place)) > 0:
                retry = Retry(user_id=USER, conversation_id=conversation_id, sequence=newest)
                return open_round(connection, retry, self.product.settings)
        return multiple()

    @rule(target=open_rounds, place=places)
    def say_it_in_other_words(self, place: int) -> OpenRound | MultipleResults[OpenRound]:
        conversation_id = self.talks[place].conversation_id
        if conversation_id is None:
            return multiple()
        with (
            suppress(ConflictError, NotFoundError),
            as_owner(self.product) as connection,
        ):
            newest = max(0, self._last_sequence(place) - 1)
            new = Rewording(
                user_id=USER, conversation_id=conversation_id, sequence=newest, text="Rather this."
            )
            return open_round(connection, new, self.product.settings)
        return multiple()

    @rule(target=held, which=st.integers(0, 50), lease_s=st.sampled_from((0.001, 30)))
    def begin(self, which: int, lease_s: float) -> Held | MultipleResults[Held]:
        """Any task that was ever sent may come, once more or late."""
        jobs = list_jobs(self.product)
        if not jobs:
            return multiple()
        due: Due = jobs[which % len(jobs)]
        claim = self.talks[0].begin(DERIVATIONS[due.kind], due.job_id, lease_s)
        if claim is None:
            return multiple()
        self.newest[due.kind, due.job_id] = claim.fencing_token
        return (due.kind, claim)

    @rule(job=held, all_read=st.booleans())
    def complete(self, job: Held, all_read: bool) -> None:
        """Once for each job, and by nobody but who began it last."""
        kind, claim = job
        if complete(self.product, job, all_read=all_read):
            assert self.newest[kind, claim.job_id] == claim.fencing_token
            assert (kind, claim.job_id) not in self.done
            self.done.add((kind, claim.job_id))

    @rule(job=consumes(held))
    def fail(self, job: Held) -> None:
        with as_owner(self.product) as connection:
            claims.fail(connection, DERIVATIONS[job[0]], job[1], "broken")

    @rule(job=consumes(held))
    def give_back(self, job: Held) -> None:
        with as_owner(self.product) as connection:
            claims.give_back(connection, DERIVATIONS[job[0]], job[1], after_s=1, error="slow down")

    @rule(job=held)
    def renew(self, job: Held) -> None:
        with as_owner(self.product) as connection:
            claims.renew(connection, DERIVATIONS[job[0]], [job[1].fencing_token], 30)

    @rule()
    def lose_leases(self) -> None:
        expire_leases(self.product)

    @rule()
    def sweep(self) -> None:
        sweep(self.product)

    @rule()
    def catch_up_after_an_hour(self) -> None:
        run_sql(self.product, "UPDATE conversations SET updated_at = now() - interval '1 h'")
        catch_up(self.product)

    @invariant()
    def nothing_is_broken(self) -> None:
        assert find_breaches(self.product.database, self.product.settings, quiet=False) == []

    def teardown(self) -> None:
        """Left alone, everything catches up."""
        work_off(self.product, begin_and_complete)
        assert find_breaches(self.product.database, self.product.settings, quiet=True) == []

    def _last_sequence(self, place: int) -> int:
        conversation_id = self.talks[place].conversation_id
        assert conversation_id is not None
        with as_owner(self.product) as connection:
            conversation = conversations.find_any_conversation(connection, conversation_id)
        assert conversation is not None
        return conversation.last_sequence


def test_nothing_is_broken_in_any_order(make_settings: MakeSettings) -> None:
    product = Services(make_settings(memory_window_limit=3), max_attempts=3)
    run_state_machine_as_test(
        lambda: Lives(product),  # type: ignore[arg-type]
        settings=settings(
            max_examples=count_cases(25),
            stateful_step_count=40,
            suppress_health_check=list(HealthCheck),
        ),
    )
    product.close()
