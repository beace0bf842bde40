"""Leases in Redis: sorted sets of tokens, scored by the time at which they expire.

The clock is Redis', so clocks of machines may differ. Each holder has a token of its own, so
nobody can renew or release the lease of another.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal, cast, get_args

import redis

LEASE_S = 15.0
LEASE_MS = round(LEASE_S * 1000)
RENEW_EVERY_S = 1.0

# In the order of the script's numbers. `limit`: all slots are taken. `rounds`: somebody is
# answered, or was until a moment ago. `behind`: a job of an earlier rank waits.
Verdict = Literal["acquired", "limit", "rounds", "behind"]

#: 0: a live job that the next prompts need; 1: another live job; 2: a job of the backlog.
Rank = Literal[0, 1, 2]

NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function clear(key) redis.call('ZREMRANGEBYSCORE', key, '-inf', now) end
local function put(key, token, ms)
  redis.call('ZADD', key, now + ms, token)
  redis.call('PEXPIRE', key, 2 * ms)
end
"""

# KEYS: memory's calls, open rounds, the waiting jobs of each rank but the last, when the last round
# ended and how long it took, and whether memory waits for rounds. ARGV: the token, the limit, the
# lease in ms, the job, its rank from 0, and for how many times as long as the last round took no
# round should have been open ("": it yields to none).
# Returns the number of the verdict, from 1. A refused job is noted as waiting, so that no job of a
# later rank overtakes it.
ACQUIRE = (
    NOW
    + """
for i = 1, 4 do clear(KEYS[i]) end
local verdict = 1
local rank = tonumber(ARGV[5])
local before = 0
for i = 3, 2 + rank do before = before + redis.call('ZCARD', KEYS[i]) end
local ended, took = string.match(redis.call('GET', KEYS[5]) or '0 0', '(%d+) (%d+)')
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then verdict = 2
elseif ARGV[6] ~= '' and (redis.call('ZCARD', KEYS[2]) > 0 or now - ended < took * ARGV[6])
then verdict = 3
elseif before > 0 then verdict = 4 end
redis.call('ZREM', KEYS[3], ARGV[4])
redis.call('ZREM', KEYS[4], ARGV[4])
if verdict == 1 then redis.call('DEL', KEYS[6]) end
if verdict == 3 then redis.call('SET', KEYS[6], 1, 'PX', ARGV[3]) end
if verdict == 1 then
  put(KEYS[1], ARGV[1], ARGV[3])
elseif rank < 2 then
  put(KEYS[3 + rank], ARGV[4], ARGV[3])
end
return verdict
"""
)

# KEYS: open rounds, when the last one ended and how many ms it took. ARGV: these ms, for how many
# ms that is kept, tokens …
END_ROUNDS = (
    NOW
    + """
redis.call('ZREM', KEYS[1], unpack(ARGV, 3))
redis.call('SET', KEYS[2], now .. ' ' .. ARGV[1], 'PX', ARGV[2])
"""
)
ENDED_MS = 120_000  # longer than any pause that memory waits for
LONGEST_ROUND_S = 30.0  # of those that memory waits as long after

# KEYS: the leases, open rounds. ARGV: the limit, the lease in ms, tokens …
# Returns the number of open rounds, then 1 for each token that now holds a lease, else 0. A
# token whose lease was lost (Redis was emptied, the process slept) gets a new one if the limit
# allows it.
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


KEY_NAMES = ("memory", "rounds", "waiting_first", "waiting", "ended", "yields", "several")
#: So long it is known that a server has written two replies at once.
SEVERAL_S = 3600


@dataclass(frozen=True)
class Keys:
    """The sorted sets of one server. The braces put them on one node of a Redis cluster."""

    memory: str
    rounds: str
    waiting_first: str
    waiting: str
    ended: str
    yields: str
    several: str

    @classmethod
    def of(cls, server: str) -> Keys:
        """The keys of a server, with a digest of its address: an address may contain a password."""
        digest = hashlib.blake2s(server.encode(), digest_size=8).hexdigest()
        return cls(*(f"model:{{{digest}}}:{what}" for what in KEY_NAMES))


@dataclass(frozen=True, kw_only=True)
class Acquisition:
    """A request for a lease."""

    token: str
    job: str  #: kind and id: a refused live job keeps its turn under this name
    rank: Rank
    #: For so many times as long as the last round took none should have been open: who has been
    #: silent for so long will often be silent for as long again. None: it yields to none.
    pauses: int | None


class Leases:
    """The leases of one server, in Redis. Methods raise `RedisError`."""

    def __init__(self, client: redis.Redis, server: str) -> None:
        self.keys = Keys.of(server)
        self._client = client
        self._acquire = client.register_script(ACQUIRE)
        self._renew = client.register_script(RENEW)
        self._end_rounds = client.register_script(END_ROUNDS)

    def acquire(self, acquisition: Acquisition, limit: int) -> Verdict:
        """Take a lease among memory's calls, of which there are at most `limit`."""
        keys = self.keys
        verdict = self._acquire(
            keys=[
                keys.memory,
                keys.rounds,
                keys.waiting_first,
                keys.waiting,
                keys.ended,
                keys.yields,
            ],
            args=[
                acquisition.token,
                limit,
                LEASE_MS,
                acquisition.job,
                acquisition.rank,
                "" if acquisition.pauses is None else acquisition.pauses,
            ],
        )
        return cast("Verdict", get_args(Verdict)[int(str(verdict)) - 1])

    def renew(self, key: str, limit: int, tokens: list[str]) -> tuple[set[str], int]:
        """Renew leases. Returns the tokens that have one now, and the number of open rounds."""
        answer = self._renew(keys=[key, self.keys.rounds], args=[limit, LEASE_MS, *tokens])
        rounds, *flags = (int(str(number)) for number in cast("list[int]", answer))
        return {token for token, is_kept in zip(tokens, flags, strict=True) if is_kept}, rounds

    def count(self) -> dict[str, int]:
        """Count the calls of `memory`, and the `rounds` that this server answers."""
        now_s, now_us = self._client.time()
        since = now_s * 1000 + now_us // 1000
        keys = {"memory": self.keys.memory, "rounds": self.keys.rounds}
        return {name: self._client.zcount(key, since, "+inf") for name, key in keys.items()}

    def release(self, tokens: list[str]) -> None:
        """Release calls of memory."""
        self._client.zrem(self.keys.memory, *tokens)

    def end_rounds(self, tokens: list[str], took_s: float) -> None:
        took_ms = round(1000 * min(took_s, LONGEST_ROUND_S))
        keys = [self.keys.rounds, self.keys.ended]
        self._end_rounds(keys=keys, args=[took_ms, ENDED_MS, *tokens])

    def waits_for_rounds(self) -> bool:
        """Whether a job was refused because of rounds a moment ago, and none has begun since."""
        return bool(self._client.exists(self.keys.yields))

    def note_several(self) -> None:
        """Note that the server has written two replies at once."""
        self._client.set(self.keys.several, 1, ex=SEVERAL_S)

    def serves_several(self) -> bool:
        return bool(self._client.exists(self.keys.several))
