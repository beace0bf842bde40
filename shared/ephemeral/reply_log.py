"""The reply in Redis while it is being written, so that any web process can show it.

A Redis stream `reply:{conversation_id}:{sequence}`; an entry's id is
`{fencing_token}-{offset after it}`, so an id says which try and how far, and a later try always
sorts after an earlier one. `stop:{…}` beside it is the stop flag. With Redis down, nothing here
does anything, and the client that holds the connection still gets its stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import redis
from redis.exceptions import RedisError

from shared.ephemeral.keys import erased_key, reply_key, stop_key
from shared.metrics import REDIS_FALLBACKS
from shared.models import ConversationId

TTL_S = 900
# KEYS: the stream, the stop flag, what was deleted of the conversation. ARGV: the entry's id, its
# text, TTL in seconds, the fencing token, the sequence number. Returns whether the try is to end.
ADD = """
local erased = redis.call('HMGET', KEYS[3], '*', ARGV[5])
if erased[1] or (erased[2] and tonumber(erased[2]) >= tonumber(ARGV[4])) then return 1 end
redis.call('XADD', KEYS[1], ARGV[1], 'text', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return redis.call('GET', KEYS[2]) == ARGV[4] and 1 or 0
"""
# After a fault, how many writes pass before Redis is tried again: the stream must not crawl.
SKIPPED_WRITES = 50


class ReplyLog:
    """One reply's entries, as its writer and its readers see them."""

    def __init__(self, client: redis.Redis, conversation_id: ConversationId, sequence: int) -> None:
        self._client = client
        self._key = reply_key(conversation_id, sequence)
        self._stop_key = stop_key(conversation_id, sequence)
        self._erased_key = erased_key(conversation_id)
        self._sequence = sequence
        self._add = client.register_script(ADD)
        self._skip = 0
        self.written = 0  # characters; what could not be written goes with the next piece

    def catch_up(self, fencing_token: int, text: str) -> bool:
        """Add what `text` has beyond `written`. True: somebody has asked to stop this try, or
        has deleted it, and nothing more of it is taken.
        """
        if self._skip:
            self._skip -= 1
            return False
        try:
            ends = self._add(
                keys=[self._key, self._stop_key, self._erased_key],
                args=[
                    f"{fencing_token}-{len(text)}",
                    text[self.written :],
                    TTL_S,
                    fencing_token,
                    self._sequence,
                ],
            )
        except RedisError:
            self._skip = SKIPPED_WRITES
            REDIS_FALLBACKS.labels(operation="write_reply").inc()
            return False
        self.written = len(text)
        return bool(ends)

    def stop_asked(self, fencing_token: int) -> bool:
        try:
            return bool(self._client.get(self._stop_key) == str(fencing_token))
        except RedisError:
            return False

    def ask_to_stop(self, fencing_token: int) -> None:
        try:
            self._client.set(self._stop_key, str(fencing_token), ex=TTL_S)
        except RedisError:
            REDIS_FALLBACKS.labels(operation="ask_to_stop").inc()

    def whole_text(self, fencing_token: int) -> str:
        """All that this try has written so far; "" without Redis."""
        try:
            entries: Any = self._client.xrange(self._key, str(fencing_token), str(fencing_token))
        except RedisError:
            return ""
        return _joined(entries, fencing_token, 0)


class LogPosition(NamedTuple):
    """How much of a reply's log somebody has read."""

    conversation_id: ConversationId
    sequence: int
    fencing_token: int
    offset: int


def read_logs(
    client: redis.Redis, positions: Sequence[LogPosition], block_ms: int
) -> list[str] | None:
    """What each log has after its position: at once, or as soon as one of them has something.

    "" when nothing came in time; None without Redis.
    """
    asked = {
        reply_key(at.conversation_id, at.sequence): f"{at.fencing_token}-{at.offset}"
        for at in positions
    }
    try:
        answer: Any = client.xread(asked, block=block_ms, count=1000)  # type: ignore[arg-type]
    except RedisError:
        return None
    entries = dict(answer)
    return [
        _joined(
            entries.get(reply_key(at.conversation_id, at.sequence), []), at.fencing_token, at.offset
        )
        for at in positions
    ]


def _joined(entries: list[tuple[str, dict[str, str]]], fencing_token: int, offset: int) -> str:
    """The entries' text from `offset` on, up to the first hole that a fault has left.

    What a reader has already seen of an entry is left out.
    """
    text = ""
    for entry_id, fields in entries:
        token, end = (int(part) for part in entry_id.split("-"))
        piece = fields["text"]
        seen = offset + len(text) - (end - len(piece))
        if token != fencing_token or seen < 0:
            break
        text += piece[seen:]
    return text
