"""Where a round's CPU goes in the web process: `python -m bench.round_parts [--keep FOLDER]`.

The site is the one of `bench.rounds`, with its memory. The rounds run in this process, through the
application, without a socket. Each part is measured by the CPU time of its thread, so that other
work on the machine counts for little. Steps follow one another; what they are made of lies within
them. The rest of `a round, all threads` is threads that begin and wait, and the renewal of leases.
"""

from __future__ import annotations

import functools
import os
import random
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import click
import redis
from flask import Flask

import shared.db.connection
import shared.db.statements
import shared.recall.messages
import shared.recall.prompt
import shared.rounds.runner
import shared.rounds.writer
from bench.model_server import running_model_server
from bench.report import Figure, publish
from bench.rounds import MODEL, ROUNDS_EACH, USER, ask_question, remember
from bench.site import wait_until
from bench.supervised import USER_HEADER, Supervised, supervised
from shared.embeddings.onnx_model import OnnxModel
from shared.llm.background_iterator import BackgroundIterator
from shared.rounds.prompt_builder import PromptBuilder
from shared.settings import STAND_IN_MODEL, read_settings
from supervisor.embedded.folders import make_socket_folder
from supervisor.embedded.owner import find_owner
from supervisor.embedded.postgres import Postgres
from supervisor.embedded.valkey import Valkey
from tests.services import as_application
from web.app import create_app, warm_up_in_background

BLOCKS = 5
LAST_STEPS_S = 10
STEPS: dict[str, tuple[Any, str]] = {
    "step: opening": (shared.rounds.runner.RoundRunner, "start"),
    "step: recall": (shared.rounds.runner, "recall"),
    "step: prompt": (PromptBuilder, "build"),
    "step: pieces to readers": (shared.rounds.writer, "broadcast"),
    "step: closing": (shared.rounds.runner, "close_with_retries"),
    "step: news to tabs": (shared.rounds.runner, "announce_reply"),
    "step: turns and tasks, after the end": (shared.rounds.runner.RoundRunner, "_follow_up"),
    "beside: the query's vectors": (OnnxModel, "encode_query"),
    "beside: the model's stream": (BackgroundIterator, "_pump"),
}
WITHIN: dict[str, tuple[Any, str]] = {
    "within: statements": (shared.db.statements, "_run"),
    "within: ends of transactions": (shared.db.connection.OwnConnection, "_finish"),
    "within: commands to Redis": (redis.Redis, "execute_command"),
    "within: tasks": (shared.rounds.runner, "send_due"),
    "within recall: reading the question": (shared.recall.prompt, "read_query"),
    "within recall: messages, with quotes": (shared.recall.prompt, "_match_messages"),
    "within recall: passages ranked": (shared.recall.messages, "rank_passages"),
    "within recall: episodes": (shared.recall.prompt, "_match_episodes"),
}


@click.command()
@click.option("--messages", default=3000, show_default=True)
@click.option("--rounds", default=100, show_default=True, help="Of each of the blocks.")
@click.option("--keep", type=click.Path(path_type=Path), help="The site's folder, for more runs.")
def main(*, messages: int, rounds: int, keep: Path | None) -> None:
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(exist_ok=True)
        folder.chmod(0o711)
        model = {
            "llm_model": MODEL,
            "llm_api_base": stack.enter_context(running_model_server()),
            "llm_api_key": "bench",
            "memory_model": STAND_IN_MODEL,
            "auth_mode": "proxy",
            "trusted_proxies": "127.0.0.1",
        }
        environment = {name.upper(): value for name, value in model.items()}
        site = stack.enter_context(supervised(folder / "data", **environment))
        remember(site, messages)
        app = create_app(read_settings(**model, **addresses_of(site)))
        stack.callback(app.extensions["throughline"].services.close)
        publish("round_parts", measure(app, rounds))


def addresses_of(site: Supervised) -> dict[str, object]:
    owner = find_owner()
    sockets = make_socket_folder(site.data_dir, owner)
    return {
        "data_dir": site.data_dir,
        "database_url": as_application(Postgres(site.data_dir / "postgres", sockets, owner).url),
        "redis_url": Valkey(site.data_dir / "valkey", sockets, owner).url,
    }


def measure(app: Flask, rounds: int) -> Iterator[Figure]:
    context = app.extensions["throughline"]
    warm_up_in_background(app)
    if not wait_until(lambda: context.encoder.ready, 60):
        raise SystemExit("the encoder did not load")
    spent: defaultdict[str, float] = defaultdict(float)
    calls: Counter[str] = Counter()
    for name, (owner, attribute) in (STEPS | WITHIN).items():
        setattr(owner, attribute, timed(getattr(owner, attribute), name, spent, calls))
    play(app, rounds)
    blocks: list[dict[str, float]] = []
    for _ in range(BLOCKS):
        context.runner.drain(LAST_STEPS_S)
        spent.clear()
        calls.clear()
        began = time.process_time()
        play(app, rounds)
        context.runner.drain(LAST_STEPS_S)
        spent["a round, all threads"] = time.process_time() - began
        blocks.append(spent.copy())
    for name in ("a round, all threads", *STEPS, *WITHIN):
        times = f" ({calls[name] / rounds:.1f} times)" if name in WITHIN else ""
        ms = median(1000 * block[name] / rounds for block in blocks)
        yield Figure(name=name + times, value=ms, unit="ms")


def timed(
    call: Callable[..., Any], name: str, spent: dict[str, float], calls: Counter[str]
) -> Callable[..., Any]:
    @functools.wraps(call)
    def measured(*args: Any, **kwargs: Any) -> Any:
        began = time.thread_time()
        try:
            return call(*args, **kwargs)
        finally:
            spent[name] += time.thread_time() - began
            calls[name] += 1

    return measured


def play(app: Flask, rounds: int) -> None:
    client, chance = app.test_client(), random.Random(os.urandom(8))
    conversation = None
    for number in range(rounds):
        body: dict[str, object] = {"message": ask_question(chance)}
        if number % ROUNDS_EACH:
            body["conversation_id"] = conversation
        answer = client.post("/chat", json=body, headers={USER_HEADER: USER})
        if answer.status_code != 200:
            raise SystemExit(f"{answer.status_code}: {answer.text}")
        conversation = answer.get_json()["conversation_id"]


if __name__ == "__main__":
    main()
