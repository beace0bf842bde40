"""Postgres and Redis that are full, or that go away in the middle of things."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.derivations.kinds import do_job
from shared.maintenance.sweep import sweep
from shared.maintenance.verify import find_breaches
from shared.rounds.runner import RoundRunner
from shared.services import Services
from shared.settings import Settings, read_settings
from tests.e2e.breakable import BreakableServices, breakable_services
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing, NoEncoder
from tests.integration.faults.answers import answer_well
from tests.integration.web.conftest import Browser
from tests.integration.worker import (
    count_queued,
    count_rows,
    expire_leases,
    list_jobs,
    run_sql,
    work_off,
)
from tests.refusals import code_of, message_of
from tests.waiting import PATIENCE_S, wait_for
from web.identity.identification import LOCAL_USER

ROUNDS = 4
SEND_S = 10  # what a round may lose to a broker that is down

# Errors as the server itself raises them.
BREAK = """
    CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'cannot write' USING ERRCODE = TG_ARGV[0]; END $$;
    CREATE TRIGGER broken_messages BEFORE INSERT OR UPDATE ON messages
        FOR EACH ROW EXECUTE FUNCTION break(%(code)s);
    CREATE TRIGGER broken_memory BEFORE UPDATE ON memory
        FOR EACH ROW WHEN (NEW.status = 'completed') EXECUTE FUNCTION break(%(code)s);
"""
MEND = "DROP FUNCTION break CASCADE"


@pytest.fixture
def full_redis(wired: Browser) -> Iterator[Callable[[], None]]:
    """Call it, and Redis refuses every write with OOM."""
    client = wired.context.services.redis

    def fill() -> None:
        client.config_set("maxmemory", 1)

    yield fill
    client.config_set("maxmemory", 0)


@pytest.fixture
def broken() -> Iterator[BreakableServices]:
    with breakable_services() as services:
        yield services


def settings_of(services: BreakableServices, model: dict[str, object]) -> Settings:
    fields = {name.lower(): value for name, value in services.environment.items()}
    return read_settings(**fields, memory_window_limit=6, **model)


def breaches(product: Services, *, quiet: bool = False) -> list[object]:
    return [*find_breaches(product.database, product.settings, quiet=quiet)]


def test_with_redis_full_the_chat_goes_on_and_the_work_is_done_later(
    wired: Browser, openai_server: FakeOpenAI, full_redis: Callable[[], None]
) -> None:
    answer_well(openai_server)
    full_redis()
    conversation_id = wired.chat("I live in Oslo.").get_json()["conversation_id"]
    for _ in range(3):
        assert wired.chat("And you?", conversation_id=conversation_id).status_code == 200
    product = wired.context.services
    wait_for(lambda: len(list_jobs(product, "processing")) == 3)
    wired.context.runner.drain(PATIENCE_S)  # what is sent after the last answer, too
    product.redis.config_set("maxmemory", 0)
    assert count_queued(product) == 0
    expire_leases(product)
    sweep(product)
    assert count_queued(product) == 3
    work_off(product)
    assert breaches(product, quiet=True) == []


@pytest.mark.changes_schema
@pytest.mark.parametrize(
    ("code", "number"),
    [
        pytest.param("53100", errno.ENOSPC, id="disk full"),
        pytest.param("XX000", errno.EDQUOT, id="quota of the file system"),
        pytest.param("42501", errno.EROFS, id="read-only file system"),
    ],
)
def test_a_database_without_room_is_told_in_a_sentence(
    wired: Browser, code: str, number: int
) -> None:
    product = wired.context.services
    reason = f"could not extend file: {os.strerror(number)}"
    run_sql(product, BREAK.replace("cannot write", reason), code=code)
    refused = wired.chat("One more")
    assert refused.status_code == 503
    assert message_of(refused).startswith("The server has no room left")
    assert count_rows(product)["messages"] == 0
    run_sql(product, MEND)


@pytest.mark.changes_schema
@pytest.mark.parametrize(
    "code",
    [
        pytest.param("53100", id="disk full"),
        pytest.param("53200", id="out of memory"),
        pytest.param("25006", id="become a standby"),
    ],
)
def test_while_postgres_cannot_write_a_send_is_refused_whole_and_a_job_is_put_off(
    wired: Browser, openai_server: FakeOpenAI, code: str
) -> None:
    answer_well(openai_server)
    product = wired.context.services
    talk = Conversing(product, LOCAL_USER)
    for _ in range(ROUNDS):
        talk.round("I live in Oslo.")
    before = count_rows(product)
    run_sql(product, BREAK, code=code)
    refused = wired.chat("One more", conversation_id=talk.conversation_id)
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "2")
    assert code_of(refused) == "database_unavailable"
    do_job(product, "summary", talk.due_of("summary")[0])
    assert list_jobs(product, "completed") == []
    assert count_rows(product) == before
    run_sql(product, MEND)
    assert wired.chat("One more", conversation_id=talk.conversation_id).status_code == 200
    work_off(product)
    assert breaches(product, quiet=True) == []


def test_with_redis_gone_a_round_ends_as_soon_as_its_reply_does(
    make_browser: Callable[..., Browser], model_settings: dict[str, object]
) -> None:
    """Sending is after the reply's last word; nothing waits for it."""
    bare = make_browser(redis_url="redis://127.0.0.1:1/0", **model_settings)
    bare.chat("The first one warms up.")
    began = time.monotonic()
    assert bare.chat("Hello").status_code == 200
    assert time.monotonic() - began < SEND_S
    assert breaches(bare.context.services) == []


def test_postgres_restarted_in_the_middle_of_a_round_and_a_job_loses_neither(
    broken: BreakableServices, model_settings: dict[str, object], openai_server: FakeOpenAI
) -> None:
    answer_well(openai_server)
    product = Services(settings_of(broken, model_settings))
    runner, talk = RoundRunner(product, NoEncoder()), Conversing(product)
    for _ in range(ROUNDS):
        talk.round("I live in Oslo.")
    before = count_rows(product)
    begins = threading.Event()
    answer_well(openai_server, begins=begins)
    openai_server.script(Scripted(text="one two three four", goes_on=begins))
    with ThreadPoolExecutor(1) as threads:
        job = threads.submit(do_job, product, "summary", talk.due_of("summary")[0])
        live = runner.start(talk.new_message("Count."))
        wait_for(lambda: live.text and len(openai_server.requests) == 2)
        broken.postgres.kill()
        begins.set()
        wait_for(lambda: live.text == "one two three four")
        assert live.outcome is None  # it waits for the database
        wait_for(job.done)
        broken.postgres.start()
        outcome = live.wait(PATIENCE_S)
    assert outcome is not None
    assert (outcome.status, outcome.error) == ("complete", None)
    assert count_rows(product)["messages"] == before["messages"] + 2
    assert list_jobs(product, "completed") == []
    answer_well(openai_server)
    work_off(product)
    assert breaches(product, quiet=True) == []
    product.close()
