"""No network call without a time-out, and each smaller than the one around it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.broker import address, celery_app
from shared.db import pool, silence, statements
from shared.ephemeral import redis_client, reply_log
from shared.ephemeral.admission import concurrency_limit
from shared.ephemeral.admission import leases as admission
from shared.llm.request import LLM_DEADLINE_S
from shared.outbound import watched_sockets
from shared.policy import retry
from shared.recall import encoder
from shared.rounds import closing, followers, mirrors
from shared.settings import SettingsError, read_settings
from shared.store.lease.overdue import MAX_DISPATCH_DOUBLINGS
from shared.store.search import spelling
from supervisor.stop_order import stop_limit_s
from web.server import worker
from web.server.connection_limit import ClientLimits
from web.streaming import sse

ROOT = Path(__file__).resolve().parents[2]
DEFAULTS = read_settings()
STATEMENT_S = statements.STATEMENT_TIMEOUT_MS / 1000
CALLS = {
    "httpx.get", "httpx.post", "httpx.Client", "httpx.stream", "redis.Redis", "Redis.from_url",
    "redis.Redis.from_url", "psycopg2.connect", "socket.create_connection", "urlopen",
    "urllib.request.urlopen", "requests.get", "create_engine",
}  # fmt: skip


def number_in(path: str, pattern: str) -> float:
    match = re.search(pattern, (ROOT / path).read_text(), re.MULTILINE)
    assert match is not None, f"{pattern} in {path}"
    return float(match[1])


GUNICORN_S = number_in("web/gunicorn_conf.py", r"^timeout = (\d+)")
GRACE_S = number_in("web/gunicorn_conf.py", r"^graceful_timeout = (\d+)")
DRAIN_S = number_in("web/gunicorn_conf.py", r"^DRAIN_S = ([\d.]+)")
CLIENTS = ClientLimits()
PROXY_S = number_in("deploy/proxy/site.conf.template", r"proxy_read_timeout (\d+)s")
POD_S = number_in("deploy/kubernetes/base/web.yaml", r"terminationGracePeriodSeconds: (\d+)")
COMPOSE_S = number_in("docker-compose.yml", r"stop_grace_period: (\d+)s")
WORKER_S = number_in("shared/broker/celery_app.py", r"worker_soft_shutdown_timeout=(\d+)")


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        pytest.param(redis_client.CONNECT_TIMEOUT_S, redis_client.SOCKET_TIMEOUT_S, id="redis"),
        pytest.param(
            mirrors.BLOCK_MS / 1000, redis_client.SOCKET_TIMEOUT_S, id="reading reply logs"
        ),
        pytest.param(address.CONNECT_TIMEOUT_S, address.ANSWER_TIMEOUT_S, id="broker"),
        pytest.param(
            address.ANSWER_TIMEOUT_S, DEFAULTS.dispatch_grace_s, id="sending, and the grace"
        ),
        pytest.param(pool.CONNECT_TIMEOUT_S, pool.POOL_TIMEOUT_S, id="connecting, and the pool"),
        pytest.param(pool.POOL_TIMEOUT_S, STATEMENT_S, id="the pool, and a statement"),
        pytest.param(
            pool.POOL_TIMEOUT_S + silence.LONG_S + silence.TICK_S + silence.TRIED_S, 10,
            id="the pool and a frozen server, and ten seconds",
        ),
        pytest.param(
            spelling.LOOK_UP_TIMEOUT_S, spelling.READ_TIMEOUT_S, id="looking up, and reading"
        ),
        pytest.param(
            spelling.READ_TIMEOUT_S, STATEMENT_S, id="words meant, and any statement"
        ),
        pytest.param(STATEMENT_S, DEFAULTS.lease_s, id="a statement, and the lease"),
        pytest.param(DEFAULTS.sweep_every_s, DEFAULTS.dispatch_grace_s, id="sweep, and the grace"),
        pytest.param(DEFAULTS.dispatch_grace_s, DEFAULTS.lease_s, id="the grace, and the lease"),
        pytest.param(DEFAULTS.lease_s, DEFAULTS.stuck_after_s, id="the lease, and stuck"),
        pytest.param(encoder.ENCODE_TIMEOUT_S, sse.PING_S, id="embedding, and the first ping"),
        pytest.param(
            watched_sockets.CONNECT_TIMEOUT_S, DEFAULTS.llm_timeout_s, id="connecting, and silence"
        ),
        pytest.param(sse.PING_S, PROXY_S, id="ping, and the proxy"),
        pytest.param(
            followers.WAIT_S + worker.STOP_POLL_S, worker.REQUESTS_S, id="the end of a stream"
        ),
        pytest.param(CLIENTS.header_s, CLIENTS.body_s, id="headers, and a body"),
        pytest.param(CLIENTS.body_s, GUNICORN_S, id="a body, and gunicorn's own limit"),
        pytest.param(sse.PING_S, CLIENTS.write_s, id="ping, and who reads nothing"),
        pytest.param(DEFAULTS.llm_timeout_s, LLM_DEADLINE_S, id="silence, and deadline"),
        pytest.param(
            3 * admission.RENEW_EVERY_S, admission.LEASE_S, id="three renewals, and a slot's lease"
        ),
        pytest.param(concurrency_limit.WAIT_S, WORKER_S, id="waiting for a slot, and a stop"),
        pytest.param(
            LLM_DEADLINE_S + closing.CLOSE_FOR_S, reply_log.TTL_S, id="reply, and its log"
        ),
        pytest.param(LLM_DEADLINE_S, PROXY_S, id="deadline, and the proxy"),
        pytest.param(LLM_DEADLINE_S, celery_app.VISIBILITY_TIMEOUT_S, id="deadline, visibility"),
        pytest.param(LLM_DEADLINE_S, retry.LONGEST_LEASE_S, id="deadline, and any lease"),
        pytest.param(DEFAULTS.lease_s, celery_app.VISIBILITY_TIMEOUT_S, id="lease, visibility"),
        pytest.param(
            worker.REQUESTS_S + DRAIN_S, GRACE_S, id="requests and replies, and gunicorn"
        ),
        pytest.param(GRACE_S, stop_limit_s("web"), id="gunicorn, and the supervisor"),
        pytest.param(WORKER_S, stop_limit_s("worker-llm"), id="worker, and the supervisor"),
        pytest.param(stop_limit_s("web"), POD_S, id="the supervisor's limit, and a pod's"),
        pytest.param(stop_limit_s("web"), COMPOSE_S, id="the supervisor's limit, and Compose's"),
        pytest.param(retry.LONGEST_WAIT_S, retry.LONGEST_LEASE_S, id="backoff, and any lease"),
        pytest.param(
            DEFAULTS.dispatch_grace_s * 2**MAX_DISPATCH_DOUBLINGS,
            retry.LONGEST_LEASE_S,
            id="the longest grace, and any lease",
        ),
    ],
)  # fmt: skip
def test_each_is_smaller_than_the_one_around_it(inner: float, outer: float) -> None:
    assert 0 < inner < outer


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lease_s", 3600),
        ("sweep_every_s", 225),
        ("llm_timeout_s", 601),
    ],
)
def test_settings_cannot_turn_the_order_round(name: str, value: float) -> None:
    with pytest.raises(SettingsError, match=name.upper()):
        read_settings(**{name: value})


def test_no_call_to_a_network_goes_without_a_timeout() -> None:
    sources = [p for folder in ("shared", "web", "workers", "supervisor")
               for p in (ROOT / folder).rglob("*.py")]  # fmt: skip
    calls = [(path, call) for path in sources for call in network_calls(path)]
    assert len(calls) >= 3  # they are recognised
    naked = [f"{path.name}:{call.lineno}" for path, call in calls if not has_timeout(call)]
    assert naked == []


def network_calls(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in CALLS:
            yield node


def has_timeout(call: ast.Call) -> bool:
    return "timeout" in ast.unparse(call).removeprefix(ast.unparse(call.func))
