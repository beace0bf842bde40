"""What of a prompt is the beginning of the prompt before it."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from shared.derivations.kinds import do_job
from shared.store import summaries
from tests.fakes.fixtures import openai_server
from tests.fakes.openai_json import FAKE_MODEL, context_of, task_of, words_of
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.faults.answers import answer_well
from tests.integration.web.conftest import DRAIN_S, Browser, make_browser
from tests.integration.worker import list_jobs
from tests.services import as_owner

__all__ = ["make_browser", "openai_server"]

Json = dict[str, Any]
MakeTalk = Callable[..., "Talk"]


class Talk:
    """A conversation; the jobs of each round are done before the next one."""

    def __init__(self, browser: Browser, server: FakeOpenAI) -> None:
        self.browser, self.server = browser, server
        self.conversation_id: str | None = None

    def say(self, text: str, reply: str = "I see.") -> Json:
        """The prompt of this round."""
        self.server.script(Scripted(text=reply))
        fields = {"conversation_id": self.conversation_id} if self.conversation_id else {}
        self.conversation_id = self.browser.chat(text, **fields).get_json()["conversation_id"]
        self.browser.context.runner.drain(DRAIN_S)
        services = self.browser.context.services
        for due in list_jobs(services, "processing"):
            do_job(services, due.kind, due.job_id)
        return [
            request.body for request in self.server.requests if task_of(request.body) == "reply"
        ][-1]

    def begins_at(self, sequence: int) -> int | None:
        trace = self.browser.get(
            f"/api/v1/conversations/{self.conversation_id}/messages/{sequence}/trace"
        )
        verbatim = trace["trace"]["verbatim"]
        return verbatim["start"] if verbatim else None


@pytest.fixture
def talk(make_browser: Callable[..., Browser], openai_server: FakeOpenAI) -> MakeTalk:
    def make(**settings: Any) -> Talk:
        answer_well(openai_server)
        openai_server.by_task.pop("reply", None)
        browser = make_browser(
            llm_model=FAKE_MODEL,
            llm_api_base=openai_server.base_url,
            llm_api_key="sk-test-key",
            **settings,
        )
        return Talk(browser, openai_server)

    return make


def test_all_but_the_new_round_and_its_context_is_as_before(talk: MakeTalk) -> None:
    """Although a fact was learned meanwhile, and a summary made."""
    talking = talk()
    bodies = [talking.say(f"I bought boat number {n}.") for n in range(8)]
    for before, after in pairwise(bodies[2:]):
        old, new = before["messages"], after["messages"]
        assert new[: len(old) - 1] == old[:-1]
        assert len(new) == len(old) + 2


def test_only_the_users_own_words_are_kept(talk: MakeTalk) -> None:
    """What is looked up for a message is given with it, and with no later one."""
    talking = talk()
    talking.say("I bought a boat near the lake.")
    talking.conversation_id = None
    body = talking.say("Which boat did I buy near the lake?")
    assert "I bought a boat near the lake." in context_of(body)
    later = talking.say("And the colour?")
    assert words_of(later)[0] == later["messages"][1]["content"]
    assert words_of(later)[0] == "Which boat did I buy near the lake?"
    browser = talking.browser
    assert [
        m["content"] for m in browser.messages(talking.conversation_id or "") if m["role"] == "user"
    ] == [
        "Which boat did I buy near the lake?",
        "And the colour?",
    ]
    services = browser.context.services
    turns = services.short_term.list_turns(talking.conversation_id)  # type: ignore[arg-type]
    exported = browser.client.get("/api/v1/export").text
    assert "<context>" not in json.dumps([turn.content for turn in turns]) + exported


def test_what_the_first_message_recalled_stands_until_it_is_deleted(talk: MakeTalk) -> None:
    talking = talk(episode_trigger_turns=4)
    talking.server.by_task["episode"] = Scripted(text=episode_about("a zeppelin"))
    for _ in range(2):
        talking.say("My zeppelin is silver.")
    older = talking.conversation_id
    talking.conversation_id = None
    first = talking.say("Which zeppelin is it?")
    second = talking.say("Thank you.")
    assert "They spoke of a zeppelin." in front_of(first)
    assert front_of(second) == front_of(first)
    assert "They spoke of" not in context_of(first) + context_of(second)
    talking.browser.client.delete(f"/api/v1/conversations/{older}")
    assert "zeppelin" not in front_of(talking.say("And now?"))


def test_thanks_recall_nothing_of_other_conversations(talk: MakeTalk) -> None:
    talking = talk(episode_trigger_turns=4)
    talking.server.by_task["episode"] = Scripted(text=episode_about("a zeppelin"))
    for _ in range(3):
        talking.say("Thanks, my zeppelin is silver.")
    talking.conversation_id = None
    prompt = talking.say("Thanks, that was all!")
    assert "zeppelin" not in json.dumps(prompt["messages"])


def episode_about(subject: str) -> str:
    return json.dumps({"summary": f"They spoke of {subject}.", "key_concepts": [subject]})


def front_of(body: Json) -> str:
    return str(body["messages"][0]["content"])


def test_turns_are_dropped_seldom_and_many_at_once(talk: MakeTalk) -> None:
    """With the summary that covers what lies before them, whatever newer ones there are."""
    talking = talk(ctx_tokens=600, recent_tokens=200, memory_summarize_after_seq=1)
    starts, rests = [], set()
    for n in range(24):
        talking.say(f"This is what I say in round {n}, in some more words than one needs for it.")
        start = talking.begins_at(2 * n + 1)
        starts.append(start or 0)
        with as_owner(talking.browser.context.services) as connection:
            anchor = summaries.find_anchor(connection, talking.conversation_id, 2 * n + 2)  # type: ignore[arg-type]
        assert anchor.start == start
        if start and anchor.summary and anchor.newest:
            assert start - 1 <= anchor.summary.end_sequence <= anchor.newest.end_sequence
            rests.add((start, anchor.summary.memory_id))
    assert starts == sorted(starts)
    moves = len(set(starts)) - 1
    assert 1 <= moves <= 5
    assert len(rests) == moves  # each with one summary, for as long as it lasts
