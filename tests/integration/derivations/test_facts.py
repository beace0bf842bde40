"""The facts job: what it reads, and which facts are on record afterwards."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from shared.db import execute
from shared.derivations.kinds import do_job
from shared.derivations.kinds.facts import FACT_HALF_LIFE_TURNS
from shared.facts.corrections import forget_fact
from shared.facts.record import learn
from shared.llm import count_tokens
from shared.models import Candidate, Outcome
from shared.prompts import load_prompt
from shared.services import Services
from shared.store import usage, users
from shared.store.facts import extractions
from shared.store.facts import versions as fact_versions
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import USER, Conversing
from tests.integration.derivations.extracting import active, answer, extract, held, rows, spans
from tests.services import as_owner

FAILED = Outcome(status="failed", content="", error="down")


def test_what_the_user_says_becomes_facts_with_their_source(conversing: Conversing) -> None:
    conversing.round("My name is Alexander.")
    conversing.round("I live in Berlin.")
    extract(conversing)
    assert active(conversing) == {"name": "Alexander", "home_city": "Berlin"}
    by_key = {fact.key: fact for fact in held(conversing)}
    home = by_key["home_city"]
    assert (home.source_conversation_id, home.source_sequence) == (conversing.conversation_id, 2)
    assert home.confirmed_at_turn == 2
    (row,) = rows(conversing)
    assert row["model"] == "offline/extractive"
    assert row["prompt_version"] == load_prompt("facts").version


def test_a_fact_is_valid_from_when_it_was_said_not_from_when_the_job_ran(
    conversing: Conversing,
) -> None:
    first_round = conversing.round("My name is Alexander.")
    conversing.round("And what is yours?")
    extract(conversing)
    assert held(conversing)[0].valid_from == first_round.user_message.created_at


def test_turns_are_counted_over_all_of_a_users_conversations(product: Services) -> None:
    first, other = Conversing(product), Conversing(product)
    first.round("Hello there, you.")
    other.round("My name is Ada.")
    first.round("I live in Rome.")
    for conversing in (first, other):
        extract(conversing)
    assert {f.key: f.confirmed_at_turn for f in held(first)} == {"name": 2, "home_city": 3}


def test_a_failed_reply_does_not_cost_the_users_words(conversing: Conversing) -> None:
    due = conversing.close(conversing.open("My name is Ada."), FAILED)
    assert due is not None
    assert [job.kind for job in due] == ["facts"]
    extract(conversing)
    assert active(conversing) == {"name": "Ada"}


@pytest.mark.parametrize(("mode", "claimed"), [("passive", 1), ("off", 0)])
def test_passive_learns_and_off_does_not(conversing: Conversing, mode: str, claimed: int) -> None:
    conversing.close(conversing.open("My name is Ada.", mode=mode))  # type: ignore[arg-type]
    assert len(conversing.due_of("facts")) == claimed


def test_a_burst_costs_one_call_and_only_the_users_words_are_read(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    for text in ("I am Ada.", "thanks", "I live in <Rome>."):
        wired.close(wired.open(text), Outcome(status="complete", content="You are Mallory."))
    openai_server.script(answer(("name", "Ada", 0), ("home", "Rome", 4), ("boss", "Mallory", 1)))
    extract(wired)
    (request,) = openai_server.requests
    question = request.body["messages"][-1]["content"]
    assert "I am Ada." in question
    assert "I live in &lt;Rome&gt;." in question
    assert "Mallory" not in question
    assert "thanks" not in question
    assert active(wired) == {"name": "Ada", "home_city": "Rome"}
    assert spans(wired) == [("completed", 0, 4)]


def test_what_is_known_is_shown_so_that_its_slot_is_used_again(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.script(answer(("name", "Ada", 0)), answer(("name", "Adele", 2)))
    wired.round("I am Ada.")
    extract(wired)
    wired.round("My name is Adele.")
    extract(wired)
    question = openai_server.requests[-1].body["messages"][-1]["content"]
    assert '<known category="identity" key="name">Ada</known>' in question
    assert "I am Ada." not in question
    assert active(wired) == {"name": "Adele"}


def test_small_talk_costs_no_call_and_is_done_with(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    wired.round("ok")
    wired.round("👍")
    extract(wired)
    assert openai_server.requests == []
    (row,) = rows(wired)
    assert (row["status"], row["end_sequence"], row["model"]) == ("completed", 2, None)


def test_the_prompt_stays_small_without_the_messages() -> None:
    assert count_tokens("gpt-4o-mini")(load_prompt("facts").text) < 700


def test_tokens_are_counted_by_purpose(wired: Conversing, openai_server: FakeOpenAI) -> None:
    openai_server.script(
        Scripted(text="no JSON", tokens_in=5, tokens_out=1),
        Scripted(text='{"facts": []}', tokens_in=7, tokens_out=2),
    )
    wired.round("I am Ada.")
    extract(wired)
    assert wired.conversation_id is not None
    with as_owner(wired.services) as connection:
        (total,) = usage.list_usage(connection, wired.conversation_id)
    assert (total.purpose, total.calls, total.tokens_in, total.tokens_out) == ("facts", 2, 12, 3)


@pytest.fixture
def read_again(wired: Conversing, openai_server: FakeOpenAI) -> Callable[[Scripted], None]:
    """Everything that was said is read once more, as after a restore or a replay."""

    def again(scripted: Scripted) -> None:
        with as_owner(wired.services) as connection:
            execute(connection, "DELETE FROM fact_extractions")
            job = extractions.claim_extraction(connection, wired.conversation_id, 2, 10)  # type: ignore[arg-type]
        assert job is not None
        openai_server.script(scripted)
        do_job(wired.services, "facts", job.job_id)

    return again


def test_what_the_user_deletes_is_not_learned_again_from_the_same_messages(
    wired: Conversing, openai_server: FakeOpenAI, read_again: Callable[[Scripted], None]
) -> None:
    openai_server.script(answer(("name", "Ada", 0), ("home_city", "Rome", 2)))
    wired.round("I am Ada.")
    wired.round("I live in Rome.")
    extract(wired)
    for fact in held(wired):
        with as_owner(wired.services) as connection:
            forget_fact(connection, wired.user_id, fact.fact_id)
    read_again(answer(("name", "ada", 0), ("city", "Roma", 2), ("place", "rome", 2)))
    assert active(wired) == {}
    openai_server.script(answer(("home_city", "Rome", 4)))
    wired.round("I live in Rome again.")
    do_job(wired.services, "facts", wired.due_of("facts")[-1])
    assert active(wired) == {"home_city": "Rome"}


def test_reading_all_again_changes_nothing(
    wired: Conversing, openai_server: FakeOpenAI, read_again: Callable[[Scripted], None]
) -> None:
    openai_server.script(answer(("name", "Ada", 0), ("name", "Adele", 2)))
    wired.round("I am Ada.")
    wired.round("I am Adele, really.")
    extract(wired)
    before = held(wired)
    read_again(answer(("name", "Ada", 0), ("name", "Adeline", 2)))
    assert [f.value for f in held(wired)] == [f.value for f in before] == ["Adele"]


def test_many_writers_of_one_slot_leave_one_active_version(product: Services) -> None:
    """Two conversations may be read at the same time, in either order."""
    start = datetime.now(UTC)
    with as_owner(product) as connection:
        users.ensure_user(connection, USER)

    def write(number: int) -> None:
        candidate = Candidate(
            category="identity",
            key="home_city",
            value=f"City {number}",
            confidence=1.0,
            importance=0.8,
            retracts=False,
            said_at=start + timedelta(seconds=number),
            turn=number,
            source_conversation_id=None,
            source_sequence=None,
        )
        barrier.wait()
        with as_owner(product) as connection:
            users.lock_user(connection, USER)
            learn(connection, USER, [candidate], FACT_HALF_LIFE_TURNS)
        done.append(number)

    barrier, done = threading.Barrier(8), list[int]()
    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == list(range(8))
    with as_owner(product) as connection:
        heads = fact_versions.list_newest_by_slot(connection, USER)
    assert heads["identity", "home_city"].value == "City 7"


def test_operators_and_users_say_more_about_what_is_noted(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    with wired.services.database.transaction(user=wired.user_id) as connection:
        users.keep_memory_instructions(connection, wired.user_id, "Never note my health.")
    openai_server.script(answer())
    wired.round("I am Ada.")
    extract(wired)
    instructions = openai_server.requests[-1].body["messages"][0]["content"]
    assert instructions.startswith(load_prompt("facts").text)
    assert instructions.endswith("Note the projects.\n\nNever note my health.")
