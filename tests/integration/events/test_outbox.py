"""No change without its event, and no event without its change."""

from __future__ import annotations

import dataclasses

import pytest

from shared.derivations.kinds import RECIPES
from shared.derivations.runner import run_job
from shared.events.payloads import write_payloads
from shared.facts.corrections import (
    Correction,
    Statement,
    correct_fact,
    forget_fact,
    state_fact,
    undo_change,
)
from shared.facts.suggestions import confirm_suggestion, suggest_facts
from shared.maintenance.sweep import sweep
from shared.models import Event, Fact
from shared.models.job_kinds import FACTS
from shared.services import Services
from shared.store import events
from shared.store.facts import suggestions
from tests.integration.conversing import USER, Conversing
from tests.integration.web.two_users import doubtful
from tests.integration.worker import expire_leases, work_off
from tests.services import MakeSettings, as_owner


def test_stating_correcting_and_undoing_a_fact_each_write_their_event(product: Services) -> None:
    home = state(product, "Lisbon")
    assert state(product, "Lisbon").fact_id == home.fact_id  # said again: nothing new
    porto = correct(product, home, "Porto")
    with as_owner(product) as connection:
        undo_change(connection, USER, porto.fact_id)
    assert [(event.type, ids(event)) for event in list_events(product)] == [
        ("fact.learned", (home.fact_id, None)),
        ("fact.replaced", (porto.fact_id, home.fact_id)),
        ("fact.replaced", (home.fact_id, porto.fact_id)),
    ]


def test_a_change_that_is_rolled_back_leaves_no_event(product: Services) -> None:
    def change_and_fail() -> None:
        with as_owner(product) as connection:
            state_fact(connection, USER, statement("Lisbon"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        change_and_fail()
    assert list_events(product) == []


def test_a_confirmed_suggestion_is_a_fact_that_was_learned(
    product: Services, conversing: Conversing
) -> None:
    conversing.round()
    assert conversing.conversation_id is not None
    with as_owner(product) as connection:
        suggest_facts(connection, USER, [doubtful(conversing.conversation_id)])
        suggest_facts(connection, USER, [doubtful(conversing.conversation_id)])  # once again
        [suggestion] = suggestions.list_suggestions(connection, USER)
    [event] = list_events(product)
    with as_owner(product) as connection:
        [payload] = write_payloads(connection, USER, [event], with_text=True)
    assert payload.body["data"] == {
        "suggestion_id": suggestion.suggestion_id,
        "conversation_id": conversing.conversation_id,
        "sequence": suggestion.source_sequence,
        "suggestion": {
            "category": suggestion.category,
            "key": suggestion.key,
            "value": suggestion.value,
        },
    }
    with as_owner(product) as connection:
        fact = confirm_suggestion(connection, USER, suggestion.suggestion_id)
    suggestion_event, learned = list_events(product)
    assert (suggestion_event.type, learned.type) == ("fact.suggested", "fact.learned")
    assert learned.data["fact_id"] == fact.fact_id


def test_rounds_teach_facts_and_close_episodes_with_an_event_each(
    make_settings: MakeSettings,
) -> None:
    product = Services(make_settings(episode_trigger_turns=4))
    conversing = Conversing(product)
    conversing.round("I live in Lisbon.")
    conversing.round("I moved to Porto.")
    work_off(product)
    events_by_type = {event.type: event for event in list_events(product)}
    learned, closed = events_by_type["fact.learned"], events_by_type["episode.closed"]
    assert (learned.data["conversation_id"], learned.data["sequence"]) == (
        conversing.conversation_id,
        0,
    )
    assert closed.data["conversation_id"] == conversing.conversation_id
    assert (closed.data["start"], closed.data["end"]) == (0, 1)
    product.close()


def test_a_job_that_fails_for_good_is_told_once(product: Services, conversing: Conversing) -> None:
    conversing.round()
    [job_id] = conversing.due_of("facts")

    def crash(*_: object) -> None:
        raise ValueError("a text that nobody may see")

    recipe = dataclasses.replace(RECIPES["facts"], make=crash, fall_back=None)
    run_job(product, recipe, job_id)
    run_job(product, recipe, job_id)
    [event] = list_events(product)
    assert event.type == "job.failed"
    assert event.data == {
        "kind": "facts",
        "job_id": job_id,
        "conversation_id": conversing.conversation_id,
    }


def test_a_job_whose_worker_died_too_often_is_told_by_the_sweep(
    make_settings: MakeSettings,
) -> None:
    product = Services(make_settings(), max_attempts=1)
    conversing = Conversing(product)
    conversing.round()
    [job_id] = conversing.due_of("facts")
    assert conversing.begin(FACTS, job_id)
    expire_leases(product)
    sweep(product)
    sweep(product)
    [event] = [event for event in list_events(product) if event.data["job_id"] == job_id]
    assert event.type == "job.failed"
    product.close()


def test_a_text_is_told_while_it_is_there_and_never_afterwards(product: Services) -> None:
    home = state(product, "Lisbon")
    correct(product, home, "Porto")
    assert [data.get("fact") for data in payloads(product, with_text=False)] == [None, None]
    fact = {"category": "identity", "key": "shoe_size", "value": "Lisbon"}
    assert [data["fact"] for data in payloads(product)] == [fact, fact | {"value": "Porto"}]
    assert payloads(product)[1]["replaced_fact"] == fact
    with as_owner(product) as connection:
        forget_fact(connection, USER, home.fact_id)
    assert [data["fact"] for data in payloads(product)] == [None, None]


def statement(value: str) -> Statement:
    return Statement(category="identity", key="shoe_size", value=value)


def state(product: Services, value: str) -> Fact:
    with as_owner(product) as connection:
        return state_fact(connection, USER, statement(value))[0]


def correct(product: Services, fact: Fact, value: str) -> Fact:
    with as_owner(product) as connection:
        return correct_fact(connection, USER, fact.fact_id, Correction(value=value))


def list_events(product: Services) -> list[Event]:
    with as_owner(product) as connection:
        return events.list_events(connection, USER, 0, 100)


def ids(event: Event) -> tuple[object, object]:
    return event.data["fact_id"], event.data.get("replaced_fact_id")


def payloads(product: Services, *, with_text: bool = True) -> list[dict[str, object]]:
    with as_owner(product) as connection:
        all_payloads = write_payloads(connection, USER, list_events(product), with_text=with_text)
    return [dict(payload.body["data"]) for payload in all_payloads]  # type: ignore[call-overload]
