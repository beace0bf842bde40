"""What is doubtful: suggested, superseded, never given to a prompt."""

from __future__ import annotations

import json
from datetime import date

from prometheus_client import REGISTRY

from shared.facts.suggestions import confirm_suggestion, dismiss_suggestion
from shared.models import Suggestion
from shared.recall.prompt import MAX_FACTS
from shared.store.facts import suggestions
from shared.store.facts import versions as fact_versions
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing
from tests.integration.derivations.extracting import MEANT, active, answer
from tests.integration.derivations.test_fact_updates import tell
from tests.services import as_owner


def hedged(value: str, seq: int, **more: str) -> Scripted:
    fact = {"category": "identity", "key": "home_city", "value": value, "seq": seq} | more
    sure = {"confidence": 0.5, "importance": 0.8}
    return Scripted(text=json.dumps({"facts": [MEANT | fact | sure]}))


def open_ones(conversing: Conversing) -> list[Suggestion]:
    with as_owner(conversing.services) as connection:
        return suggestions.list_suggestions(connection, conversing.user_id)


def values(conversing: Conversing) -> list[str]:
    return [suggestion.value for suggestion in open_ones(conversing)]


def list_given(conversing: Conversing) -> list[str]:
    with as_owner(conversing.services) as connection:
        facts = fact_versions.list_recallable(connection, conversing.user_id, 0, MAX_FACTS)
    return [fact.value for fact in facts]


def refused(reason: str) -> float:
    labels = {"reason": reason}
    return REGISTRY.get_sample_value("throughline_facts_refused_total", labels) or 0


def test_what_is_doubtful_is_suggested_and_no_prompt_is_given_it(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.script(hedged("Berlin", 0))
    tell(wired, "Maybe I will live in Berlin.")
    (suggestion,) = open_ones(wired)
    assert (suggestion.key, suggestion.value, suggestion.source_sequence) == (
        "home_city",
        "Berlin",
        0,
    )
    assert list_given(wired) == []


def test_a_suggestion_does_not_touch_what_is_held(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.script(answer(("home_city", "Rome", 0)), hedged("Berlin", 2))
    tell(wired, "I live in Rome.")
    tell(wired, "Maybe I will live in Berlin.")
    assert (active(wired), values(wired)) == ({"home_city": "Rome"}, ["Berlin"])


def test_it_goes_once_what_it_says_has_ended(wired: Conversing, openai_server: FakeOpenAI) -> None:
    piano = {"category": "identity", "key": "piano", "importance": 0.8}
    openai_server.script(
        Scripted(
            text=json.dumps({"facts": [piano | {"value": "Yamaha", "seq": 0, "confidence": 0.5}]})
        ),
        Scripted(
            text=json.dumps(
                {"facts": [MEANT | piano | {"retracts": True, "seq": 2, "confidence": 1}]}
            )
        ),
    )
    tell(wired, "I think my piano is a Yamaha.")
    assert values(wired) == ["Yamaha"]
    tell(wired, "I sold the piano.")
    assert (active(wired), values(wired)) == ({}, [])


def test_it_goes_once_the_slot_is_stated_plainly(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.script(hedged("Berlin", 0), answer(("home_city", "Bern", 2)))
    tell(wired, "Maybe I will live in Berlin.")
    tell(wired, "I live in Bern.")
    assert (active(wired), values(wired)) == ({"home_city": "Bern"}, [])


def test_of_two_for_one_slot_the_later_is_asked(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.script(hedged("Berlin", 0), hedged("Basel", 2))
    tell(wired, "Maybe I will live in Berlin.")
    tell(wired, "Maybe I will live in Basel.")
    assert values(wired) == ["Basel"]


def test_what_was_dismissed_is_not_suggested_again_but_may_be_stated(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.script(hedged("Berlin", 0), hedged("berlin", 2), answer(("home", "Berlin", 4)))
    tell(wired, "Maybe I will live in Berlin.")
    with as_owner(wired.services) as connection:
        dismiss_suggestion(connection, wired.user_id, open_ones(wired)[0].suggestion_id)
    tell(wired, "Perhaps I will live in Berlin.")
    assert values(wired) == []
    tell(wired, "I live in Berlin.")
    assert active(wired) == {"home_city": "Berlin"}


def test_confirmed_it_is_a_fact_that_names_its_message(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.script(answer(("home_city", "Rome", 0)), hedged("Berlin", 2))
    tell(wired, "I live in Rome.")
    tell(wired, "Maybe I will live in Berlin.")
    with as_owner(wired.services) as connection:
        fact = confirm_suggestion(connection, wired.user_id, open_ones(wired)[0].suggestion_id)
    assert (fact.value, fact.source_sequence) == ("Berlin", 2)
    assert (list_given(wired), values(wired)) == (["Berlin"], [])


def test_what_holds_until_a_day_keeps_its_end_when_it_is_confirmed(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.script(hedged("Berlin", 0, until="2030-05-03"))
    tell(wired, "I'm in Berlin until 3 May 2030.")
    (suggestion,) = open_ones(wired)
    assert suggestion.valid_until == date(2030, 5, 3)
    with as_owner(wired.services) as connection:
        fact = confirm_suggestion(connection, wired.user_id, suggestion.suggestion_id)
    assert (fact.key, fact.valid_until) == ("temporary_home_city", date(2030, 5, 3))


def test_what_nobody_said_is_refused_and_counted(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    before = refused("ungrounded")
    openai_server.script(answer(("home_city", "Rotterdam", 0)))
    tell(wired, "My dog is called Rex.")
    assert (active(wired), values(wired)) == ({}, [])
    assert refused("ungrounded") == before + 1


def test_it_goes_when_the_user_asks_to_forget_it(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    openai_server.script(hedged("Berlin", 0), answer())
    tell(wired, "I think I live in Berlin.")
    assert values(wired) == ["Berlin"]
    tell(wired, "Please take Berlin out of your notes.")
    assert values(wired) == []
