"""How a fact changes and ends: by a model's answer over the wire, and by the stand-in's."""

from __future__ import annotations

import json

from shared.derivations.kinds import do_job
from shared.models import Fact
from shared.services import Services
from shared.store.facts import versions as fact_versions
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing
from tests.services import as_owner

CAR = {
    "category": "identity",
    "key": "car",
    "confidence": 1.0,
    "importance": 0.6,
    "whose": "user",
    "how": "stated",
    "when": "now",
}


def proposed(value: str, seq: int, *, retracts: bool = False) -> Scripted:
    return Scripted(
        text=json.dumps({"facts": [CAR | {"value": value, "seq": seq, "retracts": retracts}]})
    )


def tell(conversing: Conversing, text: str) -> None:
    conversing.round(text)
    do_job(conversing.services, "facts", conversing.due_of("facts")[-1])


def versions(conversing: Conversing) -> list[Fact]:
    with as_owner(conversing.services) as connection:
        facts = fact_versions.list_facts(
            connection, conversing.user_id, category=None, with_history=True, as_of=None
        )
    return sorted(facts, key=lambda fact: fact.fact_id)


def recallable(conversing: Conversing) -> list[str]:
    with as_owner(conversing.services) as connection:
        facts = fact_versions.list_recallable(connection, conversing.user_id, 0, 40)
    return [fact.value for fact in facts]


def test_a_model_ends_a_fact_that_it_was_shown(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.script(proposed("a Skoda", 0), proposed("", 2, retracts=True))
    tell(wired, "I drive a Skoda.")
    tell(wired, "The car is sold.")
    question = openai_server.requests[-1].body["messages"][-1]["content"]
    assert '<known category="identity" key="car">a Skoda</known>' in question
    (former,) = versions(wired)
    assert (former.value, former.is_active, former.superseded_by) == ("a Skoda", False, None)
    assert former.valid_to is not None
    assert former.valid_to > former.valid_from
    assert recallable(wired) == []


def test_what_ended_may_begin_again_as_another_version(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.script(
        proposed("a Skoda", 0), proposed("", 2, retracts=True), proposed("a Kia", 4)
    )
    for text in ("I drive a Skoda.", "The car is sold.", "A Kia it is."):
        tell(wired, text)
    assert [(fact.value, fact.is_active) for fact in versions(wired)] == [
        ("a Skoda", False),
        ("a Kia", True),
    ]


def test_a_model_cannot_end_what_is_not_held(wired: Conversing, openai_server: FakeOpenAI) -> None:
    openai_server.script(proposed("a Skoda", 0), proposed("a Fiat", 2, retracts=True))
    tell(wired, "I drive a Skoda.")
    tell(wired, "The Fiat was never mine.")
    assert recallable(wired) == ["a Skoda"]


def test_a_model_replaces_a_fact_and_the_former_version_has_its_end(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.script(proposed("a Skoda", 0), proposed("a Kia", 2))
    tell(wired, "I drive a Skoda.")
    tell(wired, "It had to make room for a Kia.")
    former, current = versions(wired)
    assert (former.valid_to, former.superseded_by) == (current.valid_from, current.fact_id)
    assert recallable(wired) == ["a Kia"]


def test_the_stand_in_replaces_and_ends_what_is_on_record(product: Services) -> None:
    """By the names that the rules gave the slots, not by its own."""
    conversing = Conversing(product)
    for text in ("I live in Utrecht. My cat is called Ziggy. I work at Halden Steel.",):
        tell(conversing, text)
    tell(conversing, "We moved from Utrecht to Arnhem, and the cat is called Duke now.")
    tell(conversing, "I quit my job at Halden Steel.")
    assert sorted(recallable(conversing)) == ["Arnhem", "Duke"]
    ended = {fact.value: fact.superseded_by for fact in versions(conversing) if fact.valid_to}
    assert set(ended) == {"Utrecht", "Ziggy", "Halden Steel"}
    assert ended["Halden Steel"] is None
