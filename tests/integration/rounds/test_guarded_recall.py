"""Whatever fails while a reply's memory is gathered, the reply comes, with what could be read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NoReturn

import psycopg2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.metrics.counters import FAILED_STEPS
from shared.models import Outcome
from tests.budgets import count_cases
from tests.fakes.fixtures import openai_server
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.conversing import Conversing
from tests.integration.web.conftest import Browser, browser, make_browser, talk, wired
from tests.integration.worker import list_jobs, run_sql
from tests.services import owner_url
from tests.waiting import wait_for

__all__ = ["browser", "make_browser", "openai_server", "talk", "wired"]

FACT, NEWEST, ASKED = "Zanzibar", "My newest words are orange.", "Which zeppelin, Kassandra?"
# What a step reads, gone under its feet; what else it takes down with it is part of the case.
BROKEN = [
    ("facts", "ALTER TABLE structured_facts RENAME COLUMN importance TO gone"),
    ("summary", "ALTER TABLE memory RENAME COLUMN end_sequence TO gone"),
    ("question", "ALTER TABLE messages RENAME COLUMN name TO gone"),
    ("messages", "ALTER TABLE message_embeddings RENAME COLUMN token_signs TO gone"),
    (
        "files",
        """
        INSERT INTO attachments (user_id, name, kind, media_type, byte_count)
        SELECT user_id, 'a.txt', 'text', 'text/plain', 1 FROM users;
        ALTER TABLE attachment_contents RENAME COLUMN text TO gone
        """,
    ),
    ("episodes", "ALTER TABLE episodic_memory RENAME COLUMN words TO gone"),
    (
        "prompt",
        """
        INSERT INTO memory (conversation_id, memory_text, points, start_sequence, end_sequence,
                            status, lease_until)
        SELECT conversation_id, '', '[{"text": 5, "first": -5, "last": 0}]', 0, 0, 'completed',
               now() FROM conversations
        """,
    ),
]


def raise_an_error(*_: object) -> NoReturn:
    raise KeyError(ASKED)


def count_failures() -> float:
    samples = [sample for metric in FAILED_STEPS.collect() for sample in metric.samples]
    return sum(sample.value for sample in samples if sample.name.endswith("_total"))


@pytest.fixture
def known(wired: Browser) -> str:
    """A conversation whose next reply has a fact and a newest turn to be given."""
    fact = {"category": "identity", "key": "home", "value": FACT, "importance": 1.0}
    assert wired.client.post("/api/v1/facts", json=fact).status_code == 201
    return str(wired.chat(NEWEST).get_json()["conversation_id"])


def ask(browser: Browser, conversation_id: str) -> dict[str, Any]:
    """The trace of a reply that comes well."""
    answer = browser.chat(ASKED, conversation_id=conversation_id)
    assert (answer.status_code, answer.get_json().get("status")) == (200, "complete"), answer.text
    place = f"{conversation_id}/messages/{answer.get_json()['sequence']}"
    return dict(browser.get(f"/api/v1/conversations/{place}/trace")["trace"])


def given_to(model: FakeOpenAI) -> str:
    return json.dumps(model.requests[-1].body["messages"])


@pytest.mark.changes_schema
@pytest.mark.parametrize("broken", BROKEN, ids=[step for step, _ in BROKEN])
def test_a_step_that_fails_costs_its_memory_and_no_more(
    wired: Browser,
    openai_server: FakeOpenAI,
    known: str,
    caplog: pytest.LogCaptureFixture,
    broken: tuple[str, str],
) -> None:
    step, break_it = broken
    before = count_failures()
    run_sql(wired.context.services, break_it)
    assert step in ask(wired, known)["failed"]
    assert NEWEST in given_to(openai_server)
    assert (FACT in given_to(openai_server)) == (step != "facts")
    assert count_failures() > before
    assert "step.failed" in {record.message for record in caplog.records}


@pytest.mark.parametrize("step", ["embed_query", "spelling"])
def test_an_encoder_that_fails_costs_no_reply(
    wired: Browser, openai_server: FakeOpenAI, known: str, step: str
) -> None:
    name = {"embed_query": "begin", "spelling": "knows"}[step]
    setattr(wired.context.encoder, name, raise_an_error)
    assert ask(wired, known)["failed"] == [step]
    assert NEWEST in given_to(openai_server)
    assert FACT in given_to(openai_server)


def test_turns_of_another_version_in_redis_are_read_from_postgres(
    wired: Browser, openai_server: FakeOpenAI, known: str
) -> None:
    redis = wired.context.services.redis
    for turn in ("no JSON", "[]", '{"seq": 1}'):
        redis.delete(f"stm:{known}")
        redis.rpush(f"stm:{known}", turn)
        assert ask(wired, known)["failed"] == []
        assert NEWEST in given_to(openai_server)


@pytest.fixture
def locked(wired: Browser) -> Iterator[Callable[[], int]]:
    """Somebody holds the facts for as long as the test runs. Call it to cancel who waits."""
    url = owner_url(wired.context.services.settings.database_url)
    holder, canceller = psycopg2.connect(url), psycopg2.connect(url)
    canceller.autocommit = True

    def cancel_waiting() -> int:
        with canceller.cursor() as cursor:
            cursor.execute(
                "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
                " WHERE wait_event_type = 'Lock' AND datname = current_database()"
            )
            return cursor.rowcount

    def lock() -> Callable[[], int]:
        with holder.cursor() as cursor:
            cursor.execute("LOCK TABLE structured_facts")
        return cancel_waiting

    yield lock  # type: ignore[misc]
    holder.close()
    canceller.close()


def test_a_query_that_waits_too_long_is_given_up(wired: Browser, known: str, locked: Any) -> None:
    locked()
    assert ask(wired, known)["failed"][0] == "facts"


def test_a_query_that_an_operator_cancels_is_left_out(
    wired: Browser, openai_server: FakeOpenAI, known: str, locked: Any
) -> None:
    cancel_waiting = locked()
    with ThreadPoolExecutor(1) as thread:
        reply = thread.submit(ask, wired, known)
        wait_for(lambda: (cancel_waiting() and None) or reply.done())
        assert "facts" in reply.result()["failed"]
    assert NEWEST in given_to(openai_server)


@pytest.mark.changes_schema
def test_a_title_that_cannot_be_claimed_costs_the_title_alone(wired: Browser) -> None:
    product = wired.context.services
    run_sql(product, "ALTER TABLE titles RENAME COLUMN lease_until TO gone")
    conversation_id = wired.chat(NEWEST).get_json()["conversation_id"]
    assert wired.messages(conversation_id)[1]["status"] == "complete"
    run_sql(product, "ALTER TABLE titles RENAME COLUMN gone TO lease_until")
    assert {job.kind for job in list_jobs(product)} == {"facts"}


@pytest.mark.parametrize("trace", [{"score": float("nan")}, {"text": "a\0b"}])
def test_a_trace_that_cannot_be_kept_costs_the_trace_alone(
    browser: Browser, talk: Conversing, trace: dict[str, object]
) -> None:
    open_round = talk.open(NEWEST)
    due = talk.close(open_round, Outcome(status="complete", content="Fine.", trace=trace))
    assert [job.kind for job in due or []]
    message = browser.messages(str(talk.conversation_id))[1]
    assert (message["content"], message["status"]) == ("Fine.", "complete")


def test_the_users_own_address_costs_no_reply(browser: Browser) -> None:
    before = count_failures()
    name = {"category": "identity", "key": "name", "value": "Max", "importance": 1.0}
    assert browser.client.post("/api/v1/facts", json=name).status_code == 201
    for text in ("My name is Max.", "Please write to Max.Mustermann@example.com"):
        answer = browser.chat(text)
        assert (answer.status_code, answer.get_json()["status"]) == (200, "complete")
    assert count_failures() == before


PIECES = st.sampled_from([
    "Max", "Max's", "Max.Mustermann@example.com", "www.Max.example/Max", "/home/Max/barcelna.txt",
    "barcelna", "Barcelna.example.org", "Max-Barcelna", "Max/Moritz", "barcelna@max.example",
    "東京Max", "Max2", "the", "when", "'", "\\", "&|!()", "<->", ":*", "-", "before I moved",
    "in May 2023", "2024-13-45", "\u200b", "İ", "ß", "ﬀ", "1e999", "-Max", "Max:Max", "x" * 2100,
])  # fmt: skip


@settings(max_examples=count_cases(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, min_size=1, max_size=6).map(" ".join))
def test_no_mixture_of_names_and_addresses_makes_a_step_fail(browser: Browser, text: str) -> None:
    before = count_failures()
    for key, value in (("name", "Max"), ("city", "Barcelona")):
        fact = {"category": "identity", "key": key, "value": value, "importance": 1.0}
        browser.client.post("/api/v1/facts", json=fact)
    answer = browser.chat(text)
    assert (answer.status_code, answer.get_json()["status"]) == (200, "complete")
    search_answer = browser.client.get("/api/v1/search", query_string={"q": text[:200]})
    assert search_answer.status_code == 200
    assert count_failures() == before
