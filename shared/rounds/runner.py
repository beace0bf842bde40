"""Runs rounds, each in its own thread, even if nobody listens any more."""

from __future__ import annotations

import functools
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from shared.access.operators import is_operator
from shared.access.quotas import count_unstored_round
from shared.broker.sending import send_due
from shared.derivations.withholding import forget_at_once
from shared.ephemeral.reply_log import ReplyLog
from shared.errors import TooManyRoundsError
from shared.events.announcements import announce_reply
from shared.logs import bound_fields, keep_fields
from shared.metrics.counters import LIVE_ROUNDS
from shared.models import Due, OpenRound, Outcome, ReplyAttempt, Turn, UserId
from shared.models.clients import ClientPrompt
from shared.models.memory_scope import SHARED_MEMORY, MemoryScope
from shared.recall.encoder import Encoder, begin_early
from shared.recall.newest_turns import turn_of
from shared.recall.prompt import recall
from shared.rounds import outcomes
from shared.rounds.closing import Closed, close_with_retries
from shared.rounds.limits import ConcurrencyLimit
from shared.rounds.live_reply import LiveReply
from shared.rounds.opening import open_round
from shared.rounds.prompt_builder import Means, model_of
from shared.rounds.queue import RoundQueue, Ticket
from shared.rounds.reply_faults import BUSY, NOT_SAVED
from shared.rounds.requests import NewMessage, RoundRequest
from shared.rounds.round_files import read_files
from shared.rounds.unstored import (
    NoLog,
    count_unstored_tokens,
    recall_nothing,
    unstored_round,
)
from shared.rounds.writer import write_reply
from shared.services import Services
from shared.tracing import keep_span, span

logger = logging.getLogger(__name__)

PLACES = 3  # rounds that compute at once: while one waits for Postgres, others go on
LAST_STEPS_S = 2  # the time to close a stopped round and to send its jobs

#: Writes a reply in a thread of its own.
Write = Callable[[OpenRound, LiveReply, Means], None]


class RoundRunner:
    """Runs the rounds of this process, and limits their number."""

    def __init__(self, services: Services, encoder: Encoder) -> None:
        self._services = services
        self._settings = services.settings
        self._encoder = encoder
        self._slots = ConcurrencyLimit(
            services.settings.max_live_rounds,
            services.settings.max_live_rounds_per_user,
            what="replies are being written",
            too_many=TooManyRoundsError,
        )
        self._queue = RoundQueue(PLACES)
        self._live: dict[ReplyAttempt, LiveReply] = {}
        self._threads: set[threading.Thread] = set()

    def start(self, request: RoundRequest) -> LiveReply:
        """Open a round and write its reply in a thread.

        Raises `BusyError` or `TooManyRoundsError` before anything is written, and all errors of
        `open_round`.
        """
        self._slots.acquire(request.user_id)
        ticket = self._queue.arrive()
        try:
            encoder = self._encoder
            if isinstance(request, NewMessage) and self._settings.enable_memory:
                encoder = begin_early(encoder, request.text)  # while the round is opened
            with self._services.database.transaction(user=request.user_id) as connection:
                chat_round = open_round(connection, request, self._settings)
            if not isinstance(request, NewMessage):
                # Redis has the replaced turns, so recall must read from Postgres.
                self._services.short_term.forget(chat_round.conversation.conversation_id)
        except BaseException:
            self._slots.release(request.user_id)
            raise
        if self._settings.enable_memory:
            forget_at_once(self._services.database, chat_round)
        text = chat_round.former_reply.content if chat_round.former_reply else ""
        means = self._means(chat_round, ticket, encoder)
        live = LiveReply(chat_round.attempt, text, means.model)
        if not self._start_thread(chat_round, live, means, self._write):
            self._refuse(chat_round, live)
        return live

    def start_unstored(
        self,
        user_id: UserId,
        prompt: ClientPrompt,
        *,
        recalls: bool,
        memory: MemoryScope = SHARED_MEMORY,
    ) -> LiveReply:
        """Answer a client's request without storing anything of it. It is counted.

        Raises `BusyError`, `TooManyRoundsError` or `QuotaUsedUpError`.
        """
        self._slots.acquire(user_id)
        try:
            with self._services.database.transaction(user=user_id) as connection:
                count_unstored_round(connection, user_id, self._settings)
        except BaseException:
            self._slots.release(user_id)
            raise
        chat_round = unstored_round(user_id, prompt, memory)
        means = self._means(chat_round, self._queue.arrive(), self._encoder)
        means = means if recalls else replace(means, recall=recall_nothing)
        live = LiveReply(chat_round.attempt, model=prompt.model)
        if not self._start_thread(chat_round, live, means, self._write_unstored):
            self._release(chat_round)
            live.finish(outcomes.failed(prompt.model, "", BUSY))
        return live

    def _start_thread(
        self, chat_round: OpenRound, live: LiveReply, means: Means, write: Write
    ) -> bool:
        """Start a thread that calls `write`. False: the system has no more threads to give."""
        self._live[chat_round.attempt] = live
        LIVE_ROUNDS.inc()
        target = keep_span(keep_fields(write))
        thread = threading.Thread(target=target, args=(chat_round, live, means), daemon=True)
        self._threads.add(thread)
        try:
            thread.start()
        except RuntimeError:
            self._threads.discard(thread)
            return False
        return True

    def find_live(self, attempt: ReplyAttempt) -> LiveReply | None:
        """The live reply. None: another process writes it, or it is closed."""
        return self._live.get(attempt)

    def ask_to_stop(self, attempt: ReplyAttempt) -> None:
        """Stop a reply, even if another process writes it. The written text is kept."""
        live = self.find_live(attempt)
        if live is not None:
            live.stop_asked.set()
        else:
            ReplyLog(self._services.redis, attempt).ask_to_stop()

    def drain(self, timeout_s: float) -> None:
        """Let the open rounds finish. After `timeout_s` stop them, and keep the written text."""
        deadline = time.monotonic() + timeout_s
        for live in list(self._live.values()):
            if live.wait(max(0.0, deadline - time.monotonic())) is None:
                live.interrupt()
        for thread in list(self._threads):
            thread.join(LAST_STEPS_S)

    @contextmanager
    def _in_thread(self, attempt: ReplyAttempt) -> Iterator[None]:
        """Log and trace what a round's thread does, and forget the thread at its end."""
        try:
            with (
                bound_fields(conversation_id=attempt.conversation_id, sequence=attempt.sequence),
                span("round", {"throughline.conversation_id": attempt.conversation_id}) as round_,
            ):
                round_.note("throughline.sequence", attempt.sequence)
                yield
        finally:
            self._threads.discard(threading.current_thread())

    def _write(self, chat_round: OpenRound, live: LiveReply, means: Means) -> None:
        """Write and close a round under a lease, and send what follows from it."""
        services, attempt = self._services, chat_round.attempt
        with self._in_thread(attempt):
            announce_reply(services, chat_round)
            try:
                with (
                    services.keeper.keep_renewed("reply", attempt.fencing_token) as live.lease_lost,
                    ExitStack() as place,
                ):
                    outcome = write_reply(
                        chat_round, live, ReplyLog(services.redis, attempt), means
                    )
                    place.enter_context(means.ticket.after_answer())
                    closed = close_with_retries(services, chat_round, outcome)
            except (Exception, SystemExit):  # `SettingsError` is a `SystemExit`
                logger.exception("round.not_closed", extra={"sequence": attempt.sequence})
                closed = Closed(outcomes.failed(live.model, live.text, NOT_SAVED), due=None)
            self._release(chat_round)  # before readers see the end: they may send again at once
            if closed.outcome is None:
                live.hand_over()
                return
            live.finish(closed.outcome)
            announce_reply(services, chat_round)
            if closed.due is not None:
                with means.ticket.after_answer():
                    self._follow_up(chat_round, closed.outcome, closed.due)

    def _write_unstored(self, chat_round: OpenRound, live: LiveReply, means: Means) -> None:
        with self._in_thread(chat_round.attempt):
            try:
                outcome = write_reply(chat_round, live, NoLog(), means)
                count_unstored_tokens(self._services, chat_round, outcome)
            finally:
                self._release(chat_round)
            live.finish(outcome)

    def _means(self, chat_round: OpenRound, ticket: Ticket, encoder: Encoder) -> Means:
        """Gather what the reply is written with. The round keeps these settings to its end."""
        services = self._services
        settings = services.models.settings()
        model = model_of(chat_round, settings)
        return Means(
            ticket=ticket,
            model=model,
            waiting_rounds=services.waiting_rounds(model),
            recall=functools.partial(recall, services, encoder),
            read_files=functools.partial(read_files, services.database, settings=settings),
            settings=settings,
            is_operator=functools.partial(
                is_operator, services.database, settings=services.settings
            ),
        )

    def _refuse(self, chat_round: OpenRound, live: LiveReply) -> None:
        """Close a round for which there is no thread. The user may try again."""
        outcome = outcomes.failed(live.model, live.text, BUSY)
        try:
            close_with_retries(self._services, chat_round, outcome)
        finally:
            self._release(chat_round)
            live.finish(outcome)

    def _release(self, chat_round: OpenRound) -> None:
        del self._live[chat_round.attempt]
        LIVE_ROUNDS.dec()
        self._slots.release(chat_round.conversation.user_id)

    def _follow_up(self, chat_round: OpenRound, outcome: Outcome, due: list[Due]) -> None:
        """Steps that may fail: Postgres has the turns, and the sweep sends the jobs again."""
        if self._settings.enable_memory:
            turns = [turn_of(chat_round.user_message)] if chat_round.user_message.content else []
            if outcome.content:
                turns.append(
                    Turn(
                        role="assistant",
                        content=outcome.content,
                        ts=time.time(),
                        seq=chat_round.sequence,
                        token=chat_round.fencing_token,
                    )
                )
            self._services.short_term.append_turns(chat_round.conversation.conversation_id, turns)
        send_due(self._services.broker, due)
