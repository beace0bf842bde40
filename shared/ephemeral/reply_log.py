"""The reply in Redis while it is being written, so that any web process can show it.

A Redis stream `reply:{conversation_id}:{sequence}` has the pieces. The id of an entry is
`{fencing_token}-{offset of its end}`: it names the attempt, and entries of a later attempt sort
after those of an earlier one. The key `stop:{…}` is the stop flag. Without Redis nothing is written
or read, but a client of the writing process still gets its stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import redis
from redis.exceptions import RedisError

from shared.ephemeral.keys import erased_key, reply_key, stop_key
from shared.metrics.counters import REDIS_FALLBACKS
from shared.models import ReplyAttempt
from shared.policy.reasoning import RETRACTION

TTL_S = 900
# KEYS: the stream, the stop flag, the deletions of the conversation. ARGV: the entry's id, its
# text, TTL in seconds, the fencing token, the sequence number. Returns 1 if the attempt must end.
ADD = """
local erased = redis.call('HMGET', KEYS[3], '*', ARGV[5])
if erased[1] or (erased[2] and tonumber(erased[2]) >= tonumber(ARGV[4])) then return 1 end
redis.call('XADD', KEYS[1], ARGV[1], 'text', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return redis.call('GET', KEYS[2]) == ARGV[4] and 1 or 0
"""
# The number of writes that are skipped after a fault, as each would wait for Redis's time-out.
SKIPPED_WRITES = 50


class ReplyLog:
    """The log of one attempt at a reply."""

    def __init__(self, client: redis.Redis, attempt: ReplyAttempt) -> None:
        self._client = client
        self._attempt = attempt
        self._key = reply_key(attempt.conversation_id, attempt.sequence)
        self._stop_key = stop_key(attempt.conversation_id, attempt.sequence)
        self._add = client.register_script(ADD)
        self._skip = 0
        #: The number of characters that Redis has. The next write adds all others.
        self.char_count = 0

    def catch_up(self, text: str) -> bool:
        """Write the part of `text` that Redis does not have yet.

        True: the attempt must end, because a user has stopped or deleted it.
        """
        if self._skip:
            self._skip -= 1
            return False
        attempt = self._attempt
        try:
            ends = self._add(
                keys=[self._key, self._stop_key, erased_key(attempt.conversation_id)],
                args=[
                    f"{attempt.fencing_token}-{len(text)}",
                    text[self.char_count :],
                    TTL_S,
                    attempt.fencing_token,
                    attempt.sequence,
                ],
            )
        except RedisError:
            self._skip = SKIPPED_WRITES
            REDIS_FALLBACKS.labels(operation="write_reply").inc()
            return False
        self.char_count = len(text)
        return bool(ends)

    def stop_asked(self) -> bool:
        try:
            return bool(self._client.get(self._stop_key) == str(self._attempt.fencing_token))
        except RedisError:
            return False

    def ask_to_stop(self) -> None:
        """Ask the process that writes this attempt to stop."""
        try:
            self._client.set(self._stop_key, str(self._attempt.fencing_token), ex=TTL_S)
        except RedisError:
            REDIS_FALLBACKS.labels(operation="ask_to_stop").inc()

    def whole_text(self) -> str:
        """The text of this attempt so far. Empty without Redis."""
        token = str(self._attempt.fencing_token)
        try:
            entries: Any = self._client.xrange(self._key, token, token)
        except RedisError:
            return ""
        return _join(entries, LogPosition(self._attempt, 0)).rpartition(RETRACTION)[2]


class LogPosition(NamedTuple):
    """The number of characters of an attempt that a follower has read."""

    attempt: ReplyAttempt
    offset: int


def read_logs(
    client: redis.Redis, positions: Sequence[LogPosition], block_ms: int
) -> list[str] | None:
    """The text after each position. Waits up to `block_ms` until there is text after one of them.

    None without Redis.
    """
    streams = {_key_of(at): f"{at.attempt.fencing_token}-{at.offset}" for at in positions}
    try:
        answer: Any = client.xread(streams, block=block_ms, count=1000)  # type: ignore[arg-type]
    except RedisError:
        return None
    entries = dict(answer)
    return [_join(entries.get(_key_of(at), []), at) for at in positions]


def _key_of(position: LogPosition) -> str:
    return reply_key(position.attempt.conversation_id, position.attempt.sequence)


def _join(entries: list[tuple[str, dict[str, str]]], position: LogPosition) -> str:
    """The text after `position`, up to the first gap that a fault of Redis has left."""
    text = ""
    for entry_id, fields in entries:
        token, end = (int(part) for part in entry_id.split("-"))
        piece = fields["text"]
        overlap = position.offset + len(text) - (end - len(piece))  # of this piece
        if token != position.attempt.fencing_token or overlap < 0:
            break
        text += piece[overlap:]
    return text
