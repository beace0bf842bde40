"""`python -m bench.faults.redis_down`: what a round costs without Redis, and with one that hangs.

The product's own rounds, in this process, with the stand-in as model: until the reply is there,
and how long the thread is busy afterwards, with the turns to push and the jobs to send. A killed
Redis refuses at once; a frozen one (SIGSTOP) takes the connection and never answers.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path
from statistics import median

from bench.harness.prompts import BulkEncoder
from shared.models import ConversationId, UserId
from shared.rounds.requests import NewMessage
from shared.rounds.runner import RoundRunner
from shared.services import Services
from shared.settings import read_settings
from tests.e2e.breakable import Breakable, breakable_services

ROUNDS = 6


def main() -> None:
    with breakable_services() as running, tempfile.TemporaryDirectory() as data:
        settings = read_settings(
            database_url=running.environment["DATABASE_URL"],
            redis_url=running.environment["REDIS_URL"],
            data_dir=Path(data),
        )
        product = Services(settings)
        runner = RoundRunner(product, BulkEncoder(product))
        play(product, runner, None)  # what is loaded late
        print(f"{'Redis':10}{'reply ms':>12}{'then ms':>12}   median (longest) of {ROUNDS} rounds")
        measure("there", product, runner)
        send_signal(running.valkey, signal.SIGSTOP)
        measure("frozen", product, runner)
        send_signal(running.valkey, signal.SIGCONT)
        running.valkey.kill()
        measure("killed", product, runner)
        product.close()


def measure(what: str, product: Services, runner: RoundRunner) -> None:
    conversation_id = None
    replied, then = [], []
    for _ in range(ROUNDS):
        conversation_id, reply_ms, then_ms = play(product, runner, conversation_id)
        replied.append(reply_ms)
        then.append(then_ms)
    print(f"{what:10}{_cell(replied)}{_cell(then)}", flush=True)


def play(
    product: Services, runner: RoundRunner, conversation_id: ConversationId | None
) -> tuple[ConversationId, float, float]:
    """One round. Also returns the milliseconds until the reply, and from there to its end."""
    new = NewMessage(user_id=UserId("ada"), text="I live in Oslo.", conversation_id=conversation_id)
    began = time.perf_counter()
    live = runner.start(new)
    live.wait()
    replied = time.perf_counter()
    while runner._threads:
        time.sleep(0.001)
    ended = time.perf_counter()
    return live.attempt.conversation_id, 1000 * (replied - began), 1000 * (ended - replied)


def send_signal(valkey: Breakable, number: signal.Signals) -> None:
    assert valkey.process is not None  # noqa: S101
    os.killpg(valkey.process.pid, number)


def _cell(taken_ms: list[float]) -> str:
    return f"{median(taken_ms):7.0f} ({max(taken_ms):.0f})".rjust(16)


if __name__ == "__main__":
    main()
