"""Models that an operator sets up: stored, tried out, chosen, and really asked, over the wire."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from shared.db import Database, PgConnection
from shared.llm import model_catalog
from shared.models import UserId
from shared.models.memory_scope import SHARED_MEMORY, MemoryScope
from shared.services import Services
from shared.timing import Deadline
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import DRAIN_S, Browser
from tests.integration.web.identity.test_identification import PROXY
from tests.integration.web.site_models.conftest import (
    KEY,
    MODELS,
    change,
    offered,
    set_up,
)
from tests.integration.worker import work_off

PERSONAS = "/api/v1/personas"
ADA, OPS = ({"X-Forwarded-User": name} for name in ("ada", "ops"))


class CountingDatabase(Database):
    transactions = 0

    @contextmanager
    def transaction(
        self,
        deadline: Deadline | None = None,
        *,
        user: UserId | None = None,
        memory: MemoryScope = SHARED_MEMORY,
    ) -> Iterator[PgConnection]:
        self.transactions += 1
        with super().transaction(deadline, user=user, memory=memory) as connection:
            yield connection


def test_the_conversations_model_is_the_one_that_is_asked(
    site: Browser, second: FakeOpenAI, openai_server: FakeOpenAI
) -> None:
    second.script(Scripted(text="From home."))
    first = site.chat("Hello", model="At home").get_json()
    again = site.chat("And now?", conversation_id=first["conversation_id"]).get_json()
    assert (first["reply"], first["model"], again["model"]) == ("From home.", "At home", "At home")
    assert second.models == ["small", "small"]
    assert second.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert "reply" not in [request.path for request in openai_server.requests]
    other = site.chat("Hello").get_json()
    assert other["model"] == "fake-model"
    assert len(second.requests) == 2


def test_a_stream_says_which_model_writes(site: Browser) -> None:
    events = list(site.stream("Hello", model="At home"))
    assert (events[0][1]["model"], events[-1][1]["model"]) == ("At home", "At home")


def test_a_conversation_changes_its_model(site: Browser, second: FakeOpenAI) -> None:
    conversation_id = site.chat("Hello").get_json()["conversation_id"]
    address = f"/api/v1/conversations/{conversation_id}"
    assert site.client.patch(address, json={"model": "At home"}).get_json()["model"] == "At home"
    assert site.chat("Again", conversation_id=conversation_id).get_json()["model"] == "At home"
    [listed] = site.get("/api/v1/conversations")["conversations"]
    assert listed["model"] == "At home"
    assert site.client.patch(address, json={"model": None}).get_json()["model"] is None
    assert site.chat("Back", conversation_id=conversation_id).get_json()["model"] == "fake-model"
    refused = site.client.patch(address, json={"model": "GPT-9"})
    assert refused.status_code == 400
    assert site.chat("Hello", model="GPT-9").status_code == 400


def test_where_the_chosen_model_is_gone_the_default_answers(
    site: Browser, second: FakeOpenAI
) -> None:
    [model] = site.get(MODELS)["models"]
    conversation_id = site.chat("Hello", model="At home").get_json()["conversation_id"]
    assert site.client.delete(f"{MODELS}/{model['model_id']}").status_code == 204
    assert offered(site) == ["fake-model"]
    assert (
        site.chat("Still there?", conversation_id=conversation_id).get_json()["model"]
        == "fake-model"
    )
    assert len(second.requests) == 1
    [listed] = site.get("/api/v1/conversations")["conversations"]
    assert listed["model"] == "At home"  # so that the page can say it


def test_a_personas_model_answers_unless_the_request_names_another(site: Browser) -> None:
    text = {"name": "Pirate", "instructions": "You are a pirate.", "model": "At home"}
    persona = {"persona_id": site.client.post(PERSONAS, json=text).get_json()["persona_id"]}
    body = persona | {"messages": [{"role": "user", "content": "Ahoy"}]}

    def ask(**fields: object) -> list[str]:
        temporary = site.client.post("/chat/temporary", json=body | fields)
        answers = [site.chat("Ahoy", **persona, **fields), temporary]
        return [answer.get_json()["model"] for answer in answers]

    assert ask() == ["At home"] * 2
    assert ask(model=None) == ask(model="fake-model") == ["fake-model"] * 2
    begun = site.get("/api/v1/conversations")["conversations"]
    assert [conversation["model"] for conversation in begun] == ["fake-model", None, "At home"]


def test_a_default_answers_everywhere_and_there_is_one(site: Browser, second: FakeOpenAI) -> None:
    [model] = site.get(MODELS)["models"]
    change(site, model, chat_default=True)
    other = set_up(site, second, name="Larger", served_name="large", chat_default=True)
    assert [entry["chat_default"] for entry in site.get(MODELS)["models"]] == [False, True]
    assert site.chat("Hello").get_json()["model"] == "Larger"
    assert second.models == ["large"]
    status = site.get("/api/v1/status")
    assert (status["model"], status["stand_in"], status["operator"]) == ("Larger", False, True)
    change(site, other, chat_default=False)
    assert site.get("/api/v1/status")["model"] == "fake-model"


def test_memorys_jobs_are_done_by_the_model_that_was_set_up_for_them(
    site: Browser, second: FakeOpenAI
) -> None:
    [model] = site.get(MODELS)["models"]
    change(site, model, memory_default=True, offered=False)
    site.chat("My name is Ada.")
    site.context.runner.drain(DRAIN_S)
    work_off(site.context.services)
    assert set(second.models) == {"small"}
    assert offered(site) == ["fake-model"]


def test_a_model_that_is_not_offered_cannot_be_chosen(site: Browser, second: FakeOpenAI) -> None:
    [model] = site.get(MODELS)["models"]
    conversation_id = site.chat("Hello", model="At home").get_json()["conversation_id"]
    change(site, model, offered=False)
    assert site.chat("Hello", model="At home").status_code == 400
    assert site.chat("Again", conversation_id=conversation_id).get_json()["model"] == "fake-model"


def test_openais_clients_may_name_it(site: Browser, second: FakeOpenAI) -> None:
    assert [model["id"] for model in site.get("/v1/models")["data"]] == ["fake-model", "At home"]
    body = {"model": "At home", "messages": [{"role": "user", "content": "Hello"}]}
    answer = site.client.post("/v1/chat/completions", json=body).get_json()
    assert answer["model"] == "At home"
    assert second.models == ["small"]


def test_a_temporary_chat_may_name_it(site: Browser, second: FakeOpenAI) -> None:
    body = {"messages": [{"role": "user", "content": "Hello"}], "model": "At home"}
    assert site.client.post("/chat/temporary", json=body).get_json()["model"] == "At home"
    assert second.models == ["small"]


def test_another_process_learns_of_a_change(
    site: Browser, second: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_catalog, "CHECK_EVERY_S", 0.0)
    elsewhere = Services(site.context.services.settings)
    try:
        assert "At home" in elsewhere.models.settings().offered_models
        [model] = site.get(MODELS)["models"]
        change(site, model, offered=False)
        assert "At home" not in elsewhere.models.settings().offered_models
    finally:
        elsewhere.close()


def test_many_who_ask_at_once_read_the_table_once(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_catalog, "CHECK_EVERY_S", 3600.0)
    settings = browser.context.services.settings
    database = CountingDatabase(settings.database_url, 1)
    catalog = model_catalog.ModelCatalog(database, settings)
    threads = [threading.Thread(target=catalog.settings) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    database.close()
    assert database.transactions == 1


def test_without_a_database_the_environments_models_are_there(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser(database_url="postgresql://nobody@127.0.0.1:9/none")
    assert site.context.services.models.settings().offered_models == ("offline/extractive",)


def test_users_see_names_alone(make_browser: Callable[..., Browser], second: FakeOpenAI) -> None:
    site = make_browser(**PROXY, operators=("ops",))
    form = {"name": "At home", "address": second.base_url, "served_name": "small", "api_key": KEY}
    assert site.client.post(MODELS, json=form, headers=ADA).status_code == 403
    assert site.client.post(MODELS, json=form, headers=OPS).status_code == 201
    assert site.client.get(MODELS, headers=ADA).status_code == 403
    listed = site.client.get("/api/v1/models", headers=ADA).get_json()["models"]
    assert {"name": "At home", "is_default": False, "stand_in": False} in listed
    assert site.client.get("/api/v1/status", headers=ADA).get_json()["operator"] is False
    body = {"message": "Hello", "model": "At home"}
    assert site.client.post("/chat", json=body, headers=ADA).get_json()["model"] == "At home"


def test_the_answers_length_and_the_context_are_the_models(
    site: Browser, second: FakeOpenAI
) -> None:
    [model] = site.get(MODELS)["models"]
    change(site, model, max_tokens=77, context_tokens=600)
    conversation_id = site.chat("x " * 300, model="At home").get_json()["conversation_id"]
    site.chat("And what did I say?", conversation_id=conversation_id)
    last = second.requests[-1].body
    assert last["max_tokens"] == 77
    assert sum(len(message["content"]) for message in last["messages"]) < 600 * 4
    assert change(site, model, max_tokens=None).get_json()["max_tokens"] is None


def test_what_an_operator_does_is_in_the_audit_log(site: Browser) -> None:
    [model] = site.get(MODELS)["models"]
    change(site, model, offered=False)
    site.client.delete(f"{MODELS}/{model['model_id']}")
    events = site.get("/api/v1/audit")["events"]
    done = [event["action"] for event in events if event["action"].startswith("model.")]
    assert done == ["model.delete", "model.change", "model.create"]
