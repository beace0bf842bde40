"""Rounds run here, one thread each, whether or not anybody is still listening."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_random_exponential

from shared.broker import send_due
from shared.db import PgConnection
from shared.ephemeral.reply_log import ReplyLog
from shared.errors import (
    DatabaseUnavailableError,
    NotFoundError,
    TooManyRoundsError,
)
from shared.logs import bound_fields, keep_fields
from shared.metrics import LATE_WRITES, LIVE_ROUNDS, ROUNDS
from shared.models import ConversationId, Due, OpenRound, Outcome, Turn, UserId
from shared.policy.budget import Room
from shared.policy.prompt import Recalled
from shared.recall.encoder import Encoder
from shared.recall.newest_turns import turn_of
from shared.recall.prompt import recall
from shared.rounds import endings
from shared.rounds.closing import close_round
from shared.rounds.limits import ConcurrencyLimit
from shared.rounds.live_reply import LiveReply
from shared.rounds.writer import write_reply
from shared.services import Services
from shared.steps import Steps
from shared.store import messages

logger = logging.getLogger(__name__)

LAST_STEPS_S = 2  # for a round that was stopped to be closed, and its jobs to be sent
CLOSE_FOR_S = 60  # how long a finished reply waits for the database to come back


class Closed(NamedTuple):
    """How a round ended, by the database, and the jobs that were claimed.

    No outcome: the reply is being written anew elsewhere. No jobs: somebody else has closed it.
    """

    outcome: Outcome | None
    due: list[Due] | None


class RoundRunner:
    """Holds the rounds of this process, as many as there are places."""

    def __init__(self, services: Services, encoder: Encoder) -> None:
        self._services = services
        self._encoder = encoder
        self._settings = services.settings
        self._places = ConcurrencyLimit(
            services.settings.max_live_rounds,
            services.settings.max_live_rounds_per_user,
            what="replies are being written",
            too_many=TooManyRoundsError,
        )
        self._live: dict[tuple[ConversationId, int], LiveReply] = {}
        self._threads: set[threading.Thread] = set()

    def run(
        self, user_id: UserId, open_round: Callable[[], OpenRound]
    ) -> tuple[OpenRound, LiveReply]:
        """Open a round and write its reply in a thread.

        Raises `BusyError` when there is no place (for this user), before anything is written;
        and what `open_round` raises.
        """
        self._places.take(user_id)
        try:
            opened = open_round()
        except BaseException:
            self._places.leave(user_id)
            raise
        live = LiveReply(
            opened.conversation.conversation_id,
            opened.sequence,
            opened.fencing_token,
            text=opened.kept.content if opened.kept else "",
        )
        self._live[live.conversation_id, live.sequence] = live
        LIVE_ROUNDS.inc()
        thread = threading.Thread(target=keep_fields(self._run), args=(opened, live), daemon=True)
        self._threads.add(thread)
        try:
            thread.start()
        except RuntimeError:  # the system has no more threads to give
            self._threads.discard(thread)
            self._refuse(opened, live)
        return opened, live

    def find_live(self, conversation_id: ConversationId, sequence: int) -> LiveReply | None:
        return self._live.get((conversation_id, sequence))

    def reply_log(self, conversation_id: ConversationId, sequence: int) -> ReplyLog:
        return ReplyLog(self._services.redis, conversation_id, sequence)

    def drain(self, timeout_s: float) -> None:
        """Let the open rounds finish; after `timeout_s` stop them, keeping what they have."""
        deadline = time.monotonic() + timeout_s
        for live in list(self._live.values()):
            if live.wait(max(0.0, deadline - time.monotonic())) is None:
                live.interrupt()
        for thread in list(self._threads):
            thread.join(LAST_STEPS_S)

    def _run(self, opened: OpenRound, live: LiveReply) -> None:
        try:
            with bound_fields(conversation_id=live.conversation_id, sequence=live.sequence):
                self._write(opened, live)
        finally:
            self._threads.discard(threading.current_thread())

    def _write(self, opened: OpenRound, live: LiveReply) -> None:
        try:
            outcome, due = self._reply(opened, live)
        except (Exception, SystemExit):  # a `SettingsError` is the latter
            logger.exception("round.not_closed", extra={"sequence": opened.sequence})
            self._leave(opened, live)
            model = self._settings.llm_model
            live.finish(endings.broken_off(model, live.text, endings.NOT_SAVED))
            return
        self._leave(opened, live)  # before readers learn of it: they may send or retry at once
        if outcome is None:
            live.hand_over()
            return
        live.finish(outcome)
        ROUNDS.labels(status=outcome.status).inc()
        if due is not None:
            self._after(opened, outcome, due)

    def _refuse(self, opened: OpenRound, live: LiveReply) -> None:
        """Close a round that no thread can write. The user may try it again."""
        model = self._settings.llm_model
        outcome = endings.broken_off(model, live.text, endings.BUSY)
        try:
            self._close(opened, outcome)
        finally:
            self._leave(opened, live)
            live.finish(outcome)
        ROUNDS.labels(status=outcome.status).inc()

    def _reply(self, opened: OpenRound, live: LiveReply) -> Closed:
        """Written and closed, under the lease."""
        log = self.reply_log(live.conversation_id, live.sequence)
        with self._services.keeper.keep_renewed("reply", opened.fencing_token) as lost:
            live.lease_lost = lost
            kept = live.text  # of a reply that is continued
            with self._services.waiting_rounds.announce(lambda: live.text == kept):
                outcome = write_reply(opened, live, log, self._recall, self._settings)
            return self._close(opened, outcome)

    def _leave(self, opened: OpenRound, live: LiveReply) -> None:
        place = (live.conversation_id, live.sequence)
        if self._live.get(place) is live:  # not a later try of the same reply
            del self._live[place]
        LIVE_ROUNDS.dec()
        self._places.leave(opened.conversation.user_id)

    def _recall(self, opened: OpenRound, steps: Steps, room: Room) -> Recalled:
        return recall(self._services, self._encoder, opened, steps, room)

    def _close(self, opened: OpenRound, outcome: Outcome) -> Closed:
        """A finished reply outlives a restart of the database."""
        for attempt in Retrying(
            retry=retry_if_exception_type(DatabaseUnavailableError),
            wait=wait_random_exponential(multiplier=0.2, max=2),
            stop=stop_after_delay(CLOSE_FOR_S),
            reraise=True,
        ):
            with attempt, self._services.closings.transaction() as connection:
                due = close_round(
                    connection,
                    conversation_id=opened.conversation.conversation_id,
                    mode=opened.conversation.mode,
                    sequence=opened.sequence,
                    fencing_token=opened.fencing_token,
                    outcome=outcome,
                    settings=self._settings,
                )
                closed = Closed(outcome, due) if due is not None else _too_late(connection, opened)
        return closed

    def _after(self, opened: OpenRound, outcome: Outcome, due: list[Due]) -> None:
        """What may fail: the sweep and Postgres make up for it."""
        if self._settings.enable_memory:
            self._remember_turns(opened, outcome)
        send_due(self._services.broker, due)

    def _remember_turns(self, opened: OpenRound, outcome: Outcome) -> None:
        turns = [turn_of(opened.user_message)]
        if outcome.content:
            turns.append(
                Turn(
                    role="assistant",
                    content=outcome.content,
                    ts=time.time(),
                    seq=opened.sequence,
                    token=opened.fencing_token,
                )
            )
        self._services.short_term.append_turns(opened.conversation.conversation_id, turns)


def _too_late(connection: PgConnection, opened: OpenRound) -> Closed:
    """Somebody else has closed this round: what the database keeps is what readers are told."""
    LATE_WRITES.labels(kind="reply").inc()
    conversation_id = opened.conversation.conversation_id
    logger.warning(
        "round.late", extra={"conversation_id": conversation_id, "sequence": opened.sequence}
    )
    try:
        message = messages.get_message(connection, conversation_id, opened.sequence)
    except NotFoundError:
        return Closed(endings.deleted(), None)
    is_same_try = message.fencing_token == opened.fencing_token
    return Closed(endings.kept(message) if is_same_try else None, None)
