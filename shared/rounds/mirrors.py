"""Mirrors of replies that other web processes write. One thread reads all of them."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from weakref import WeakKeyDictionary, WeakValueDictionary

from shared.ephemeral.reply_log import LogPosition, read_logs
from shared.errors import NotFoundError, ThroughlineError
from shared.models import ReplyAttempt, UserId
from shared.policy.reasoning import RETRACTION
from shared.rounds import outcomes
from shared.rounds.live_reply import LiveReply
from shared.services import Services
from shared.store import messages

logger = logging.getLogger(__name__)

BLOCK_MS = 100  # for one read; a new mirror waits at most so long for its first read
JOIN_S = 0.03  # the pieces of so long a time are joined
CHECK_S = 0.5  # the interval at which Postgres is asked whether a reply without news is closed


class ReplyMirrors:
    """Keeps a `LiveReply` for each reply that another process writes and somebody here follows.

    Redis has the text while it is written. Postgres says when the reply is closed, and has the
    whole text even if Redis is away.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._mirrors: WeakValueDictionary[ReplyAttempt, LiveReply] = WeakValueDictionary()
        self._users: WeakKeyDictionary[LiveReply, UserId] = WeakKeyDictionary()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def find(self, attempt: ReplyAttempt, user_id: UserId) -> LiveReply:
        """The mirror of an attempt that some process is writing for this user."""
        with self._lock:
            live = self._mirrors.get(attempt)
            if live is None or live.read_after(0).is_over:
                live = self._mirrors[attempt] = LiveReply(attempt)
                self._users[live] = user_id
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="mirrors", daemon=True)
                self._thread.start()
            return live

    def _run(self) -> None:
        checked_at = time.monotonic()
        while open_ones := self._list_open():
            with_news = self._read(open_ones)
            if time.monotonic() - checked_at >= CHECK_S:
                checked_at = time.monotonic()
                self._check([live for live in open_ones if live not in with_news])
            del open_ones, with_news  # only followers may keep a mirror alive

    def _list_open(self) -> list[LiveReply]:
        """The mirrors to read. An empty list ends the thread; the next follower starts another."""
        with self._lock:
            lives = [live for live in self._mirrors.values() if not live.read_after(0).is_over]
            if not lives:
                self._thread = None
            return lives

    def _read(self, lives: Sequence[LiveReply]) -> set[LiveReply]:
        """Append what Redis has. Returns the mirrors that had news."""
        positions = [LogPosition(live.attempt, len(live.history)) for live in lives]
        texts = read_logs(self._services.redis, positions, BLOCK_MS)
        if texts is None:
            time.sleep(CHECK_S)
            return set()
        news = {live: text for live, text in zip(lives, texts, strict=True) if text}
        for live, text in news.items():
            live.append(text)
        time.sleep(JOIN_S)
        return set(news)

    def _check(self, lives: Sequence[LiveReply]) -> None:
        for live in lives:
            try:
                self._close_if_over(live)
            except ThroughlineError:
                return  # the database is away; the followers wait
            except Exception:
                logger.exception("mirror.failed", extra={"sequence": live.attempt.sequence})
                live.hand_over()

    def _close_if_over(self, live: LiveReply) -> None:
        attempt = live.attempt
        try:
            with self._services.database.transaction(user=self._users[live]) as connection:
                message = messages.get_message(
                    connection, attempt.conversation_id, attempt.sequence
                )
        except NotFoundError:
            live.hand_over()
            return
        if message.attempt != attempt:
            live.hand_over()
        elif message.status != "streaming":
            text, content = live.text, message.content
            is_longer = content.startswith(text)
            live.append(content[len(text) :] if is_longer else RETRACTION + content)
            live.finish(outcomes.stored(message))
