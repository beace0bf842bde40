"""Leases in Redis: a sorted set a purpose, each member a holder's own token, scored by its end.

Time is Redis' own, so machines need not agree on it. A token is made for one holder and never
again, so nobody can renew or give back what another holds.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal, cast, get_args

import redis

LEASE_S = 15.0
BEAT_S = 1.0  # also how soon memory learns of a round that waits

Verdict = Literal["taken", "limit", "rounds", "behind"]

NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function clear(key) redis.call('ZREMRANGEBYSCORE', key, '-inf', now) end
local function put(key, token, ms)
  redis.call('ZADD', key, now + ms, token)
  redis.call('PEXPIRE', key, 2 * ms)
end
"""

# KEYS: memory's calls, rounds that wait, live jobs that wait. ARGV: the token, the limit, the
# lease in ms, the job, 1 for a job of the backlog, 1 for one that yields to rounds.
# Returns the place of the verdict. A live job that is refused waits before all of the backlog.
TAKE = (
    NOW
    + """
for _, key in ipairs(KEYS) do clear(key) end
local verdict = 1
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then verdict = 2
elseif ARGV[6] == '1' and redis.call('ZCARD', KEYS[2]) > 0 then verdict = 3
elseif ARGV[5] == '1' and redis.call('ZCARD', KEYS[3]) > 0 then verdict = 4 end
if verdict == 1 then
  put(KEYS[1], ARGV[1], ARGV[3])
  redis.call('ZREM', KEYS[3], ARGV[4])
elseif ARGV[5] == '0' then
  put(KEYS[3], ARGV[4], ARGV[3])
end
return verdict
"""
)

# KEYS: the leases, rounds that wait. ARGV: the limit, the lease in ms, tokens …
# Returns how many rounds wait, and 1 for each token that holds a lease now. One that was lost
# (Redis was emptied, or the process slept) is held again where there is room.
RENEW = (
    NOW
    + """
clear(KEYS[1])
clear(KEYS[2])
local kept = {}
for i = 3, #ARGV do
  local has = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if has or redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[1]) then
    put(KEYS[1], ARGV[i], ARGV[2])
    kept[#kept + 1] = 1
  else
    kept[#kept + 1] = 0
  end
end
table.insert(kept, 1, redis.call('ZCARD', KEYS[2]))
return kept
"""
)
NO_LIMIT = 1_000_000


@dataclass(frozen=True)
class Keys:
    """The sorted sets of one server. The braces keep them together in a cluster of Redis."""

    memory: str
    rounds: str
    waiting: str

    @classmethod
    def of(cls, server: str) -> Keys:
        """Addresses can hold passwords: only their digest is written."""
        digest = hashlib.blake2s(server.encode(), digest_size=8).hexdigest()
        return cls(*(f"model:{{{digest}}}:{what}" for what in ("memory", "rounds", "waiting")))


class Leases:
    """The scripts, for one server. Raises `RedisError`."""

    def __init__(self, client: redis.Redis, server: str) -> None:
        self.keys = Keys.of(server)
        self._client = client
        self._take = client.register_script(TAKE)
        self._renew = client.register_script(RENEW)

    def take(self, token: str, limit: int, *, job: str, in_backlog: bool, yields: bool) -> Verdict:
        """A place among memory's calls, or why there is none."""
        verdict = self._take(
            keys=[self.keys.memory, self.keys.rounds, self.keys.waiting],
            args=[token, limit, _ms(LEASE_S), job, int(in_backlog), int(yields)],
        )
        return cast("Verdict", get_args(Verdict)[int(str(verdict)) - 1])

    def renew(self, key: str, limit: int, tokens: list[str]) -> tuple[set[str], int]:
        """The tokens that hold a lease now, and how many rounds wait."""
        answer = self._renew(keys=[key, self.keys.rounds], args=[limit, _ms(LEASE_S), *tokens])
        rounds, *kept = (int(str(number)) for number in cast("list[int]", answer))
        return {token for token, is_kept in zip(tokens, kept, strict=True) if is_kept}, rounds

    def give_back(self, key: str, tokens: list[str]) -> None:
        self._client.zrem(key, *tokens)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
