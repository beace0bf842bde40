"""A worker is killed again and again in the middle of its jobs, and nobody looks after it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from shared.broker.sending import send_due
from shared.db import fetch_row
from shared.maintenance.verify import find_breaches
from shared.services import Services as Product
from tests.e2e.conftest import SHORT_LEASE, environment_of
from tests.e2e.site import Site, running_site
from tests.fakes.fixtures import openai_server
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.conversing import Conversing
from tests.integration.faults.answers import answer_well
from tests.integration.worker import count_rows, embed_all, list_jobs, run_sql
from tests.services import MakeSettings, Services, as_owner
from tests.waiting import PATIENCE_S, wait_for

__all__ = ["openai_server"]

Killable = tuple[Site, Product, FakeOpenAI]

KILLS = int(os.environ.get("CHAOS_KILLS", "100"))
SHORT_KILLS = 3
ROUNDS = 4
RECOVERY_S = 3 + 10  # the lease that the site is given, and what the design allows on top
JOBS = """
    SELECT (SELECT count(*) FROM memory WHERE status = %(status)s AND fencing_token > %(after)s)
         + (SELECT count(*) FROM fact_extractions
            WHERE status = %(status)s AND fencing_token > %(after)s) AS n
"""


@pytest.fixture
def killable(
    services: Services,
    make_settings: MakeSettings,
    openai_server: FakeOpenAI,
    tmp_path: Path,
) -> Iterator[Killable]:
    """Beat, no worker yet, the product's own parts on the same database, and the model."""
    answer_well(openai_server, delay_s=0.5)
    product = Product(make_settings())
    environment = (
        environment_of(services, product.settings.database_url)
        | SHORT_LEASE
        | {
            "LLM_MODEL": "fake-model",
            "LLM_API_BASE": openai_server.base_url,
            "LLM_API_KEY": "sk-test",
        }
    )
    with running_site(environment, tmp_path, "beat") as site:
        yield site, product, openai_server
    product.close()


@pytest.mark.chaos
def test_a_hundred_kills_in_a_row_lose_nothing(killable: Killable) -> None:
    survive(*killable, kills=KILLS)


def test_a_few_kills_in_a_row_lose_nothing(killable: Killable) -> None:
    survive(*killable, kills=SHORT_KILLS)


def survive(site: Site, product: Product, model: FakeOpenAI, kills: int) -> None:
    """Each worker is killed in the middle of its jobs; the last one does what is left.

    One has just begun a job, the next one is calling the model, and one has completed a job.
    """
    rounds = 0
    for number in range(kills):
        rounds += talk(product)
        newest = newest_token(product)
        calls = len(model.requests)
        site.start("worker-llm")
        moments = (
            partial(has_jobs, product, "processing", newest),
            partial(has_more_calls, model, calls),
            partial(has_jobs, product, "completed", newest),
        )
        wait_for(moments[number % len(moments)], explain=site.log("worker-llm"))
        site.kill("worker-llm")
    site.start("worker-llm")
    wait_for(lambda: is_done(product), PATIENCE_S + RECOVERY_S + kills, site.log("worker-llm"))
    embed_all(product)
    assert count_rows(product)["messages"] == 2 * rounds
    assert find_breaches(product.database, product.settings, quiet=True) == []


def talk(product: Product) -> int:
    talk = Conversing(product)
    for _ in range(ROUNDS):
        talk.round("I live in Oslo.")
    send_due(product.broker, talk.due)
    return ROUNDS


def is_done(product: Product) -> bool:
    """Jobs that were given up meanwhile are old at once, and claimed anew."""
    run_sql(
        product,
        "UPDATE memory SET finished_at = now() - interval '2 min' WHERE status = 'failed';"
        "UPDATE fact_extractions SET finished_at = now() - interval '2 min'"
        " WHERE status = 'failed'",
    )
    embed_all(product)
    open_jobs = list_jobs(product, "processing")
    return not open_jobs and not find_breaches(product.database, product.settings, quiet=True)


def newest_token(product: Product) -> int:
    return value(product, "SELECT nextval('fencing_tokens') AS n")


def has_more_calls(model: FakeOpenAI, than: int) -> bool:
    return len(model.requests) > than


def has_jobs(product: Product, status: str, after: int) -> bool:
    """Whether a job that was begun after this fencing token has this status."""
    return value(product, JOBS, status=status, after=after) > 0


def value(product: Product, sql: str, **args: object) -> int:
    with as_owner(product) as connection:
        row = fetch_row(connection, sql, **args)
    assert row is not None
    return int(row["n"])
