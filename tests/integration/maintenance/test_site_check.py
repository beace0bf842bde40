"""One site has one database and one Redis, whatever is emptied, copied or moved."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import redis

from shared.db import execute, fetch_row
from shared.ephemeral.site_mark import KEY
from shared.maintenance.site_check import check_site, note_pulse, release_redis
from shared.services import Services as Product
from shared.settings import Settings, SettingsError
from tests.services import MakeSettings, Services, as_application, as_owner, owner_url

SWEEP_S = 0.3
OTHER = 7  # a Redis of another site: one of the databases of the run's Valkey


@pytest.fixture
def make_site(make_settings: MakeSettings) -> Iterator[Callable[..., Product]]:
    products: list[Product] = []

    def make(**overrides: object) -> Product:
        values: dict[str, object] = {"sweep_every_s": SWEEP_S}
        products.append(Product(make_settings(**(values | overrides))))
        return products[-1]

    yield make
    for product in products:
        product.close()


@pytest.fixture
def site(make_site: Callable[..., Product]) -> Product:
    return make_site()


@pytest.fixture
def other_database(services: Services) -> Iterator[str]:
    with services.databases.copy() as url:
        yield as_application(url)


@pytest.fixture
def other_redis(services: Services) -> str:
    return services.empty_redis(OTHER)


@dataclass
class Sweeping:
    """A site that is alive: its sweeps, in a thread."""

    product: Product
    _ends: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        while not self._ends.wait(SWEEP_S):
            note_pulse(self.product)

    def end(self) -> None:
        self._ends.set()


@contextmanager
def alive(product: Product) -> Iterator[None]:
    note_pulse(product)
    sweeping = Sweeping(product)
    thread = threading.Thread(target=sweeping.run)
    thread.start()
    try:
        yield
    finally:
        sweeping.end()
        thread.join()


def refusal(settings: Settings) -> str:
    with pytest.raises(SettingsError) as caught:
        check_site(settings)
    return str(caught.value)


def test_any_number_of_processes_share_a_database_and_a_redis(
    site: Product, make_settings: MakeSettings, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with alive(site):
        for _ in range(3):
            check_site(make_settings(sweep_every_s=SWEEP_S, data_dir=tmp_path_factory.mktemp("x")))


def test_a_second_site_at_the_same_redis_is_told_whose_it_is(
    site: Product, make_site: Callable[..., Product], other_database: str
) -> None:
    check_site(site.settings)
    second = make_site(database_url=other_database)
    sentence = refusal(second.settings)
    assert "another site" in sentence
    assert str(site.settings.data_dir) in sentence
    assert release_redis(second.settings, sentence.rpartition(" ")[2])
    check_site(second.settings)
    assert "another site" in refusal(site.settings)


def test_a_broker_that_is_another_sites_is_told_too(
    site: Product, make_site: Callable[..., Product], other_database: str, other_redis: str
) -> None:
    check_site(make_site(broker_url=other_redis).settings)
    site.redis.flushdb()
    sentence = refusal(make_site(database_url=other_database, broker_url=other_redis).settings)
    assert sentence.startswith("BROKER_URL: this Redis is the one of another site")


@pytest.mark.parametrize("word", ["", "x", "00000000", "*"])
def test_another_word_takes_nothing_over(
    site: Product, make_site: Callable[..., Product], other_database: str, word: str
) -> None:
    check_site(site.settings)
    second = make_site(database_url=other_database)
    assert not release_redis(second.settings, word)
    assert "another site" in refusal(second.settings)


def test_a_second_redis_at_the_same_database_is_refused_while_the_first_is_in_use(
    site: Product, make_site: Callable[..., Product], other_redis: str
) -> None:
    second = make_site(redis_url=other_redis)
    with alive(site):
        assert "with another Redis" in refusal(second.settings)
    note_pulse(site)


@pytest.mark.parametrize("starts", [False, True], ids=["while it runs", "before a start"])
def test_a_redis_that_was_emptied_is_marked_again(site: Product, starts: bool) -> None:
    with alive(site):
        check_site(site.settings)
        site.redis.flushdb()
        if starts:
            check_site(site.settings)
        else:
            note_pulse(site)
        assert site.redis.exists(KEY) == 1


def test_another_copy_of_the_database_at_the_same_redis_is_refused(
    site: Product, make_site: Callable[..., Product], other_database: str
) -> None:
    check_site(site.settings)
    copy = make_site(database_url=other_database)
    with as_owner(site) as connection:
        row = fetch_row(connection, "SELECT site_id FROM site")
    with as_owner(copy) as connection:
        execute(connection, "INSERT INTO site (site_id) VALUES (%(site_id)s)", **row or {})
    with alive(site):
        assert "a copy of this database" in refusal(copy.settings)


def test_a_second_site_that_came_while_redis_was_empty_is_noticed(
    site: Product,
    make_site: Callable[..., Product],
    other_database: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    check_site(site.settings)
    site.redis.flushdb()
    check_site(make_site(database_url=other_database).settings)
    with caplog.at_level(logging.ERROR):
        note_pulse(site)
    assert [record.message for record in caplog.records] == ["site.redis_of_another"]


def test_a_service_that_is_away_keeps_nobody_from_starting(
    make_site: Callable[..., Product],
) -> None:
    check_site(make_site(redis_url="redis://127.0.0.1:1/0").settings)
    check_site(make_site(database_url="postgresql://x@127.0.0.1:1/x").settings)


def test_what_stands_in_a_foreign_redis_is_read_with_bounds(site: Product) -> None:
    site.redis.hset(KEY, mapping={"site_id": "\x1b[2J" * 90, "place": "\x1b]0;x\x07" * 90})
    sentence = refusal(site.settings)
    assert sentence.isprintable()
    assert len(sentence) < 1000


@pytest.mark.parametrize("pulse", ["nan", "inf", "x", "-1e400"])
def test_a_pulse_that_cannot_be_is_written_anew(site: Product, pulse: str) -> None:
    check_site(site.settings)
    site.redis.hset(KEY, "pulse", pulse)
    note_pulse(site)
    assert float(str(site.redis.hget(KEY, "pulse"))) > 1e9


@pytest.mark.parametrize(
    "module", [["migrations"], ["workers", "worker", "--queues", "maintenance"]], ids=str
)
def test_a_process_of_a_second_site_ends_with_the_sentence(
    site: Product, other_database: str, module: list[str], tmp_path: Path
) -> None:
    check_site(site.settings)
    environment = os.environ | {
        "DATABASE_URL": other_database,
        "MIGRATION_DATABASE_URL": owner_url(other_database),
        "REDIS_URL": site.settings.redis_url,
        "DATA_DIR": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-m", *module],
        check=False,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("REDIS_URL: this Redis is the one of another site, at ")
    assert done.stderr.count("\n") == 1


def test_another_programs_key_of_that_name_stops_nobody(site: Product) -> None:
    site.redis.set(KEY, "a text")
    with pytest.raises(redis.ResponseError):
        site.redis.hgetall(KEY)
    check_site(site.settings)
