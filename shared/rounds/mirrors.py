"""Replies that other processes write, shown here: one thread reads them all along."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from weakref import WeakValueDictionary

import redis

from shared.db import Database
from shared.ephemeral.reply_log import LogPosition, read_logs
from shared.errors import NotFoundError, ThroughlineError
from shared.models import ConversationId, Message
from shared.rounds import endings
from shared.rounds.following import find_reply
from shared.rounds.live_reply import LiveReply

logger = logging.getLogger(__name__)

BLOCK_MS = 100  # a reply that is followed anew waits so long to be read with the others
JOIN_S = 0.03  # pieces are joined over this long
LOOK_S = 0.5  # how often Postgres is asked whether a silent one is over

Key = tuple[ConversationId, int, int]


class ReplyMirrors:
    """A `LiveReply` here for each reply elsewhere, as long as somebody reads it.

    Redis has the text while it comes; Postgres says when it is over, and has it without Redis.
    """

    def __init__(self, client: redis.Redis, database: Database) -> None:
        self._client = client
        self._database = database
        self._mirrors: WeakValueDictionary[Key, LiveReply] = WeakValueDictionary()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def find(self, message: Message) -> LiveReply:
        """`message` is a reply that is being written."""
        token = message.fencing_token or 0
        key = (message.conversation_id, message.sequence_number, token)
        with self._lock:
            live = self._mirrors.get(key)
            if live is None or live.read_after(0).is_over:
                live = self._mirrors[key] = LiveReply(*key)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="mirrors", daemon=True)
                self._thread.start()
            return live

    def _run(self) -> None:
        looked_at = time.monotonic()
        while open_ones := self._list_open():
            heard = self._read(open_ones)
            if time.monotonic() - looked_at >= LOOK_S:
                looked_at = time.monotonic()
                self._look([live for live in open_ones if live not in heard])
            del open_ones, heard  # nobody but the followers may keep them

    def _list_open(self) -> list[LiveReply]:
        """Empty: the thread ends, and the next follower starts another."""
        with self._lock:
            found = [live for live in self._mirrors.values() if not live.read_after(0).is_over]
            if not found:
                self._thread = None
            return found

    def _read(self, lives: Sequence[LiveReply]) -> set[LiveReply]:
        """What is new, from Redis. Returns those that have something."""
        texts = read_logs(self._client, [_position(live) for live in lives], BLOCK_MS)
        if texts is None:
            time.sleep(LOOK_S)
            return set()
        heard = {live: text for live, text in zip(lives, texts, strict=True) if text}
        for live, text in heard.items():
            live.append(text)
        time.sleep(JOIN_S)
        return set(heard)

    def _look(self, lives: Sequence[LiveReply]) -> None:
        for live in lives:
            try:
                self._close_if_over(live)
            except ThroughlineError:
                return  # the database is away; the followers stay
            except Exception:
                logger.exception("mirror.failed", extra={"sequence": live.sequence})
                live.hand_over()

    def _close_if_over(self, live: LiveReply) -> None:
        try:
            now = find_reply(self._database, live.conversation_id, live.sequence)
        except NotFoundError:
            live.hand_over()
            return
        if now.fencing_token != live.fencing_token:
            live.hand_over()  # it is being written anew
        elif now.status != "streaming":
            live.append(now.content[len(live.text) :])
            live.finish(endings.kept(now))


def _position(live: LiveReply) -> LogPosition:
    return LogPosition(live.conversation_id, live.sequence, live.fencing_token, len(live.text))
