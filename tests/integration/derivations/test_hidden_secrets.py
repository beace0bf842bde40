"""Secrets leave their chat by no way, nor what the operator calls so."""

from __future__ import annotations

import json
from dataclasses import replace

from shared.derivations.kinds import do_job
from shared.models import Span
from shared.policy.budget import Room
from shared.policy.recalled import Recalled
from shared.recall.prompt import recall
from shared.recall.prompt_content import Given
from shared.timing import Steps
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.conversing import Conversing, NoEncoder
from tests.integration.derivations.extracting import active, extract
from tests.integration.derivations.test_suggestions import values

SAID = "My ticket TICKET-4711 is about boats, my locker PIN is 9182. I live in Rome."
HIDDEN = "My ticket ••• is about boats, my locker PIN is •••. I live in Rome."
ROUNDS = 10  # make all jobs due


def recalled_by(talk: Conversing, question: str) -> Recalled:
    return recall(talk.services, NoEncoder(), talk.open(question), Steps(), Room())


def test_they_are_no_facts_and_no_suggestions_but_what_stands_beside_them_is(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    sure = {
        "category": "identity",
        "confidence": 1.0,
        "importance": 0.8,
        "seq": 0,
        "whose": "user",
        "how": "stated",
        "when": "now",
    }
    proposed = {"ticket": "TICKET-4711", "ticket_number": "4711", "code": "9182"}
    facts = [{"key": key, "value": value} | sure for key, value in proposed.items()]
    facts.append({"key": "home_city", "value": "Rome"} | sure)
    openai_server.by_task["facts"] = Scripted(text=json.dumps({"facts": facts}))
    wired.round(SAID)
    extract(wired)
    assert (active(wired), values(wired)) == ({"home_city": "Rome"}, [])
    assert "TICKET-#" not in str(openai_server.requests[-1].body)


def test_summaries_episodes_and_titles_are_made_without_them(
    wired: Conversing, openai_server: FakeOpenAI
) -> None:
    wired.round(SAID)
    for _ in range(ROUNDS):
        wired.round()
    do_job(wired.services, "title", wired.due_of("title")[0])
    do_job(wired.services, "episode", wired.due_of("episode")[0])
    do_job(wired.services, "summary", wired.due_of("summary")[0])
    prompts = [str(request.body["messages"]) for request in openai_server.requests]
    assert all("boats" in each for each in prompts)
    assert {"4711" in each or "9182" in each for each in prompts} == {False}


def test_another_chat_is_quoted_without_them_and_their_own_has_them(wired: Conversing) -> None:
    wired.round(SAID)
    question = "What was the ticket about boats?"
    quotes = recalled_by(Conversing(wired.services), question).quotes
    assert HIDDEN in [quote.text for quote in quotes]
    assert SAID in [turn.content for turn in recalled_by(wired, question).verbatim.turns]
    same_chat = Given(spans={quote.conversation_id: Span(start=0, end=0) for quote in quotes})
    assert same_chat.hide_in_quotes([replace(quotes[0], text=SAID)])[0].text == SAID


def test_no_typing_error_is_corrected_to_one(wired: Conversing) -> None:
    wired.round("We call it Nightingale, said the gardener.")
    question = "Who saw the gardenar with the Nightingalle?"
    recalled = recalled_by(Conversing(wired.services), question)
    assert recalled.corrected == {"gardenar": "gardener"}
