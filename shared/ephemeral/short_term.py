"""Short-term memory: the newest turns of each conversation, in Redis.

`stm:{conversation_id}` is a list of JSON turns, `stm:recent` a sorted set of conversations by last
activity. Postgres holds the same messages. Without Redis reads return nothing, writes do nothing,
and both are counted by a metric.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict

import redis
from redis.exceptions import RedisError

from shared.ephemeral.keys import RECENT, erased_key, turns_key
from shared.metrics.counters import REDIS_FALLBACKS
from shared.models import ConversationId, Turn
from shared.settings import Settings

logger = logging.getLogger(__name__)

# KEYS: the list, stm:recent, the conversation's tombstone. ARGV: max turns, TTL in seconds, max
# conversations, the conversation's id, now, turns … A turn replaces one of the same seq and all
# after it. Turns that were deleted meanwhile are left out. Returns the length of the list.
APPEND = """
if redis.call('HEXISTS', KEYS[3], '*') == 1 then return 0 end
local turns = {}
for i = 6, #ARGV do
  local turn = cjson.decode(ARGV[i])
  local erased = redis.call('HGET', KEYS[3], turn.seq)
  if not erased or tonumber(erased) < turn.token then turns[#turns + 1] = ARGV[i] end
end
if #turns == 0 then return 0 end
local first = cjson.decode(ARGV[6]).seq
while true do
  local last = redis.call('LINDEX', KEYS[1], -1)
  if not last or cjson.decode(last).seq < first then break end
  redis.call('RPOP', KEYS[1])
end
for _, turn in ipairs(turns) do redis.call('RPUSH', KEYS[1], turn) end
redis.call('LTRIM', KEYS[1], -tonumber(ARGV[1]), -1)
redis.call('EXPIRE', KEYS[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[5], ARGV[4])
local excess = redis.call('ZCARD', KEYS[2]) - tonumber(ARGV[3])
if excess > 0 then
  local evicted = redis.call('ZPOPMIN', KEYS[2], excess)
  for i = 1, #evicted, 2 do redis.call('DEL', 'stm:' .. evicted[i]) end
end
return redis.call('LLEN', KEYS[1])
"""

# KEYS: the list. ARGV: the last seq to drop. Returns the number of dropped turns.
FLUSH = """
local dropped = 0
while true do
  local first = redis.call('LINDEX', KEYS[1], 0)
  if not first or cjson.decode(first).seq > tonumber(ARGV[1]) then return dropped end
  redis.call('LPOP', KEYS[1])
  dropped = dropped + 1
end
"""


class ShortTermMemory:
    """The newest turns in Redis. While it is down no method raises, and reads return nothing."""

    def __init__(self, client: redis.Redis, settings: Settings) -> None:
        self._client = client
        self._settings = settings
        self._append = client.register_script(APPEND)
        self._flush = client.register_script(FLUSH)

    def append_turns(self, conversation_id: ConversationId, turns: Sequence[Turn]) -> None:
        """Push turns in order of `seq`, trim, set the TTL and evict, in one atomic step."""
        if not turns:
            return
        limits = self._settings
        arguments: list[str | float] = [
            limits.memory_max_turns,
            limits.memory_ttl_min * 60,
            limits.memory_max_conversations,
            conversation_id,
            turns[-1].ts,
            *(json.dumps(asdict(turn)) for turn in turns),
        ]
        try:
            keys = [turns_key(conversation_id), RECENT, erased_key(conversation_id)]
            self._append(keys=keys, args=arguments)
        except RedisError:
            _fell_back("append_turns")

    def list_turns(self, conversation_id: ConversationId) -> list[Turn]:
        """The turns, oldest first. Reading does not extend their TTL."""
        try:
            raw = self._client.lrange(turns_key(conversation_id), 0, -1)
            return [Turn(**json.loads(turn)) for turn in raw]
        except (RedisError, ValueError, TypeError):  # the last two: turns of another version
            _fell_back("list_turns")
            return []

    def flush_turns(self, conversation_id: ConversationId, up_to: int) -> None:
        """Drop turns up to sequence `up_to`. Idempotent."""
        try:
            self._flush(keys=[turns_key(conversation_id)], args=[up_to])
        except RedisError:
            _fell_back("flush_turns")

    def forget(self, conversation_id: ConversationId) -> None:
        """Drop all turns of the conversation. They are read from Postgres again."""
        try:
            with self._client.pipeline() as pipeline:
                pipeline.unlink(turns_key(conversation_id))
                pipeline.zrem(RECENT, conversation_id)
                pipeline.execute()
        except RedisError:
            _fell_back("forget")


def forget_all_turns(client: redis.Redis) -> None:
    """Drop the turns of all conversations, because the database is another one."""
    try:
        ids = [str(conversation_id) for conversation_id in client.zrange(RECENT, 0, -1)]
        client.unlink(RECENT, *(turns_key(ConversationId(each)) for each in ids))
    except RedisError:
        _fell_back("forget_all_turns")


def _fell_back(operation: str) -> None:
    REDIS_FALLBACKS.labels(operation=operation).inc()
    logger.warning("redis.unavailable", extra={"operation": operation})
