"""Cost against size: `python -m bench.growth` (minutes).

Measures what the web process does for users of different sizes, who are in the same tables: rounds
in a conversation, conversations, facts. Pages are asked through the application, without a socket;
"statements of a round" are its two transactions, "recall" is all that a prompt is given. Sizes take
turns. A figure is the median at a size, beside the one at the smallest.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from flask.testing import FlaskClient

from bench.growth_rows import Filled, fill_conversations, fill_facts, fill_rounds, finish_filling
from bench.report import Figure, publish
from bench.supervised import USER_HEADER
from shared.embeddings import QueryEncoder
from shared.models import Outcome
from shared.recall.prompt import recall
from shared.rounds.closing import close_round
from shared.rounds.files import read_files
from shared.rounds.opening import open_round
from shared.rounds.prompt_builder import Means, recall_for_prompts
from shared.rounds.queue import RoundQueue
from shared.rounds.requests import NewMessage
from shared.services import Services
from shared.settings import read_settings
from shared.timing import Steps
from tests.services import as_application, running_services
from web.app import create_app

ROUNDS = (10, 100, 1_000, 10_000)
CONVERSATIONS = (1, 100, 10_000, 100_000)
FACTS = (10, 100, 1_000)
TIMES = 25
QUESTION = "What did word12 say about word7 and word130 in word44?"


@dataclass(frozen=True, kw_only=True)
class Site:
    """The application and its services in this process."""

    client: FlaskClient
    services: Services
    encoder: QueryEncoder

    def get(self, user: Filled, path: str) -> None:
        answer = self.client.get(path, headers={USER_HEADER: user.user_id})
        if answer.status_code != 200:
            raise SystemExit(f"{path}: {answer.status_code}")

    def play(self, user: Filled) -> None:
        """The statements of a round."""
        new = NewMessage(user_id=user.user_id, text=QUESTION, conversation_id=user.conversation_id)
        database, settings = self.services.database, self.services.settings
        with database.transaction(user=user.user_id) as connection:
            chat_round = open_round(connection, new, settings)
        outcome = Outcome(status="complete", content="Fine.")
        with database.transaction(user=user.user_id) as connection:
            close_round(connection, chat_round.attempt, outcome, settings)

    def recall(self, user: Filled) -> None:
        """What a prompt is given. The round is not kept."""
        new = NewMessage(user_id=user.user_id, text=QUESTION, conversation_id=user.conversation_id)
        with self.services.database.transaction(user=user.user_id) as connection:
            chat_round = open_round(connection, new, self.services.settings)
            connection.rollback()
        means = Means(
            ticket=RoundQueue(1).arrive(),
            recall=partial(recall, self.services, self.encoder),
            read_files=partial(read_files, self.services.database, settings=self.services.settings),
            settings=self.services.settings,
            is_operator=lambda user_id: False,
        )
        recall_for_prompts(chat_round, means, Steps())


Work = Callable[[Site, Filled], None]


def page(path: str) -> Work:
    return lambda site, user: site.get(user, path.format(user=user))


ROUND: dict[str, Work] = {"statements of a round": Site.play, "recall": Site.recall}
WORK: dict[str, dict[str, Work]] = {
    "rounds": {
        "opening the conversation": page(
            "/api/v1/conversations/{user.conversation_id}/messages?limit=50"
        )
    }
    | ROUND,
    "conversations": {"list": page("/api/v1/conversations?limit=50")} | ROUND,
    "facts": {"panel": page("/api/v1/facts")} | ROUND,
}


@click.command()
@click.option("--times", default=TIMES)
def main(times: int) -> None:
    figures: list[Figure] = []
    with started() as site:
        filled = {
            "rounds": fill_rounds(site.services, ROUNDS),
            "conversations": fill_conversations(site.services, CONVERSATIONS),
            "facts": fill_facts(site.services, FACTS),
        }
        finish_filling(site.services)
        for kind, users in filled.items():
            timings = measure(site, users, WORK[kind], times)
            figures += [
                figure for name in WORK[kind] for figure in list_figures(kind, name, timings[name])
            ]
    publish("growth", figures)


@contextmanager
def started() -> Iterator[Site]:
    with (
        TemporaryDirectory() as folder,
        running_services() as running,
        running.databases.copy() as url,
    ):
        settings = read_settings(
            database_url=as_application(url),
            redis_url=running.valkey.url,
            data_dir=Path(folder),
            auth_mode="proxy",
            trusted_proxies="127.0.0.1",
        )
        app = create_app(settings)
        context = app.extensions["throughline"]
        context.encoder.start()
        while not context.encoder.ready:
            time.sleep(0.1)
        yield Site(client=app.test_client(), services=context.services, encoder=context.encoder)
        context.services.close()


@dataclass(frozen=True)
class Taken:
    """Milliseconds of one piece of work at one size: by the clock, and of this process's CPU."""

    size: int
    wall: list[float]
    cpu: list[float]


def measure(
    site: Site, users: Sequence[Filled], works: dict[str, Work], times: int
) -> dict[str, list[Taken]]:
    timings = {name: [Taken(user.size, [], []) for user in users] for name in works}
    each = [
        (partial(work, site, user), timing)
        for name, work in works.items()
        for user, timing in zip(users, timings[name], strict=True)
    ]
    for turn, (call, timing) in itertools.product(range(times + 1), each):
        began, cpu_began = time.perf_counter(), time.process_time()
        call()
        if turn:  # the first one warms up
            timing.wall.append((time.perf_counter() - began) * 1000)
            timing.cpu.append((time.process_time() - cpu_began) * 1000)
    return timings


def list_figures(kind: str, name: str, timings: Sequence[Taken]) -> list[Figure]:
    """By the clock, and the CPU of this process, each beside the smallest size."""
    first, *others = timings
    return [
        Figure(
            name=f"{name}, {timing.size:,} {kind}{what}",
            value=statistics.median(larger),
            unit="ms",
            beside=f"with {first.size:,}",
            beside_value=statistics.median(smaller),
        )
        for timing in others
        for what, larger, smaller in (
            ("", timing.wall, first.wall),
            (", CPU of the process", timing.cpu, first.cpu),
        )
    ]


if __name__ == "__main__":
    main()
