"""Models that an operator sets up: stored, tried out, chosen, and really asked, over the wire."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from shared.db import Database, PgConnection, fetch_rows
from shared.llm import model_catalog
from shared.models import UserId
from shared.services import Services
from shared.timing import Deadline
from tests.fakes.openai_server import FakeOpenAI, Scripted, running_openai_server
from tests.integration.web.conftest import DRAIN_S, Browser
from tests.integration.web.test_identity import PROXY
from tests.integration.worker import work_off

MODELS = "/api/v1/operations/models"
PERSONAS = "/api/v1/personas"
KEY = "sk-of-the-second-server"
ADA, OPS = ({"X-Forwarded-User": name} for name in ("ada", "ops"))


class CountingDatabase(Database):
    transactions = 0

    @contextmanager
    def transaction(
        self, deadline: Deadline | None = None, *, user: UserId | None = None
    ) -> Iterator[PgConnection]:
        self.transactions += 1
        with super().transaction(deadline, user=user) as connection:
            yield connection


@pytest.fixture
def second() -> Iterator[FakeOpenAI]:
    """Beside `openai_server`, which is the environment's."""
    with running_openai_server() as fake:
        fake.key, fake.served = KEY, ("small", "large")
        yield fake


@pytest.fixture
def site(wired: Browser, second: FakeOpenAI) -> Browser:
    """With a model of the environment, and one that an operator has set up."""
    set_up(wired, second)
    return wired


def set_up(browser: Browser, server: FakeOpenAI, **fields: object) -> dict[str, Any]:
    form = {
        "name": "At home",
        "address": server.base_url,
        "served_name": "small",
        "api_key": KEY,
    }
    answer = browser.client.post(MODELS, json=form | fields)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.get_json()
    return made


def change(browser: Browser, model: dict[str, Any], **fields: object) -> Any:
    return browser.client.patch(f"{MODELS}/{model['model_id']}", json=fields)


def try_out(browser: Browser, **fields: object) -> Any:
    return browser.client.post(f"{MODELS}/test", json={"served_name": "small"} | fields).get_json()


def offered(browser: Browser) -> list[str]:
    return [one["name"] for one in browser.get("/api/v1/models")["models"]]


def test_the_conversations_model_is_the_one_that_is_asked(
    site: Browser, second: FakeOpenAI, openai_server: FakeOpenAI
) -> None:
    second.script(Scripted(text="From home."))
    first = site.chat("Hello", model="At home").get_json()
    again = site.chat("And now?", conversation_id=first["conversation_id"]).get_json()
    assert (first["reply"], first["model"], again["model"]) == ("From home.", "At home", "At home")
    assert second.models == ["small", "small"]
    assert second.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert "reply" not in [one.path for one in openai_server.requests]
    other = site.chat("Hello").get_json()
    assert other["model"] == "fake-model"
    assert len(second.requests) == 2


def test_a_stream_says_which_model_writes(site: Browser) -> None:
    events = list(site.stream("Hello", model="At home"))
    assert (events[0][1]["model"], events[-1][1]["model"]) == ("At home", "At home")


def test_a_conversation_changes_its_model(site: Browser, second: FakeOpenAI) -> None:
    own = site.chat("Hello").get_json()["conversation_id"]
    address = f"/api/v1/conversations/{own}"
    assert site.client.patch(address, json={"model": "At home"}).get_json()["model"] == "At home"
    assert site.chat("Again", conversation_id=own).get_json()["model"] == "At home"
    [listed] = site.get("/api/v1/conversations")["conversations"]
    assert listed["model"] == "At home"
    assert site.client.patch(address, json={"model": None}).get_json()["model"] is None
    assert site.chat("Back", conversation_id=own).get_json()["model"] == "fake-model"
    refused = site.client.patch(address, json={"model": "GPT-9"})
    assert refused.status_code == 400
    assert site.chat("Hello", model="GPT-9").status_code == 400


def test_where_the_chosen_model_is_gone_the_default_answers(
    site: Browser, second: FakeOpenAI
) -> None:
    [model] = site.get(MODELS)["models"]
    own = site.chat("Hello", model="At home").get_json()["conversation_id"]
    assert site.client.delete(f"{MODELS}/{model['model_id']}").status_code == 204
    assert offered(site) == ["fake-model"]
    assert site.chat("Still there?", conversation_id=own).get_json()["model"] == "fake-model"
    assert len(second.requests) == 1
    [listed] = site.get("/api/v1/conversations")["conversations"]
    assert listed["model"] == "At home"  # so that the page can say it


def test_a_personas_model_answers_unless_the_request_names_another(site: Browser) -> None:
    text = {"name": "Pirate", "instructions": "You are a pirate.", "model": "At home"}
    made = {"persona_id": site.client.post(PERSONAS, json=text).get_json()["persona_id"]}
    said = made | {"messages": [{"role": "user", "content": "Ahoy"}]}

    def ask(**fields: object) -> list[str]:
        temporary = site.client.post("/chat/temporary", json=said | fields)
        answers = [site.chat("Ahoy", **made, **fields), temporary]
        return [answer.get_json()["model"] for answer in answers]

    assert ask() == ["At home"] * 2
    assert ask(model=None) == ask(model="fake-model") == ["fake-model"] * 2
    begun = site.get("/api/v1/conversations")["conversations"]
    assert [one["model"] for one in begun] == ["fake-model", None, "At home"]


def test_a_default_answers_everywhere_and_there_is_one(site: Browser, second: FakeOpenAI) -> None:
    [model] = site.get(MODELS)["models"]
    change(site, model, chat_default=True)
    other = set_up(site, second, name="Larger", served_name="large", chat_default=True)
    assert [one["chat_default"] for one in site.get(MODELS)["models"]] == [False, True]
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
    own = site.chat("Hello", model="At home").get_json()["conversation_id"]
    change(site, model, offered=False)
    assert site.chat("Hello", model="At home").status_code == 400
    assert site.chat("Again", conversation_id=own).get_json()["model"] == "fake-model"


def test_openais_clients_may_name_it(site: Browser, second: FakeOpenAI) -> None:
    assert [one["id"] for one in site.get("/v1/models")["data"]] == ["fake-model", "At home"]
    said = {"model": "At home", "messages": [{"role": "user", "content": "Hello"}]}
    answer = site.client.post("/v1/chat/completions", json=said).get_json()
    assert answer["model"] == "At home"
    assert second.models == ["small"]


def test_a_temporary_chat_may_name_it(site: Browser, second: FakeOpenAI) -> None:
    said = {"messages": [{"role": "user", "content": "Hello"}], "model": "At home"}
    assert site.client.post("/chat/temporary", json=said).get_json()["model"] == "At home"
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


def test_a_key_comes_in_and_never_goes_out(
    site: Browser, second: FakeOpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    [model] = site.get(MODELS)["models"]
    assert model["has_key"] is True
    second.script(Scripted(status=500, error=f"bad {KEY}"))
    answers = [
        site.client.get(MODELS),
        site.client.get("/api/v1/models"),
        site.chat("Hello", model="At home"),
        site.client.get("/api/v1/export"),
        site.client.get("/api/v1/audit"),
        change(site, model, served_name="large"),
        site.client.post(f"{MODELS}/test", json={
            "address": second.base_url, "model_id": model["model_id"], "served_name": "none",
        }),
    ]  # fmt: skip
    assert not [answer.request.path for answer in answers if KEY in answer.text]
    assert KEY not in caplog.text
    assert KEY not in repr(site.context.services.models.settings())
    with site.context.services.database.transaction() as connection:
        [row] = fetch_rows(connection, "SELECT sealed_key FROM site_models")
    assert KEY.encode() not in bytes(row["sealed_key"])


def test_a_stored_key_is_not_sent_to_another_address(
    site: Browser, second: FakeOpenAI, openai_server: FakeOpenAI
) -> None:
    [model] = site.get(MODELS)["models"]
    assert change(site, model, address=openai_server.base_url).status_code == 409
    tried = {"address": openai_server.base_url, "model_id": model["model_id"], "served_name": "x"}
    assert site.client.post(f"{MODELS}/test", json=tried).status_code == 409
    assert site.client.post(f"{MODELS}/served", json={
        "address": openai_server.base_url, "model_id": model["model_id"],
    }).status_code == 409  # fmt: skip
    assert openai_server.requests == []
    moved = change(site, model, address=openai_server.base_url, api_key="sk-other")
    assert moved.get_json()["address"] == openai_server.base_url
    site.chat("Hello", model="At home")
    assert openai_server.requests[-1].headers["authorization"] == "Bearer sk-other"


def test_the_stored_key_is_kept_replaced_and_taken_away(site: Browser, second: FakeOpenAI) -> None:
    [model] = site.get(MODELS)["models"]
    assert change(site, model, served_name="large").get_json()["has_key"] is True
    site.chat("Hello", model="At home")
    assert second.requests[-1].headers["authorization"] == f"Bearer {KEY}"
    assert change(site, model, api_key="").get_json()["has_key"] is False
    failed = site.chat("Hello", model="At home")
    assert failed.status_code == 502
    assert "does not accept the key" in failed.text


def test_a_key_of_another_secret_is_no_fault_of_the_site(
    site: Browser, make_browser: Callable[..., Browser]
) -> None:
    other = make_browser(
        database_url=site.context.services.settings.database_url,
        secret_key="another secret, long enough for it",
    )
    assert other.chat("Hello", model="At home").status_code == 502
    assert other.chat("Hello").status_code == 200


def test_a_test_that_works(site: Browser, second: FakeOpenAI) -> None:
    found = try_out(site, address=second.base_url, api_key=KEY)
    assert (found["outcome"], found["detail"], found["served"]) == ("works", None, None)
    assert second.requests[-1].body["max_tokens"] == 16


def test_a_test_of_a_stored_model_uses_its_key(site: Browser, second: FakeOpenAI) -> None:
    [model] = site.get(MODELS)["models"]
    found = try_out(site, address=second.base_url, model_id=model["model_id"])
    assert found["outcome"] == "works"


def test_a_test_with_a_wrong_key(site: Browser, second: FakeOpenAI) -> None:
    found = try_out(site, address=second.base_url, api_key="sk-wrong-one")
    assert found["outcome"] == "key_refused"
    assert "sk-secret-key" not in str(found)


def test_a_test_of_a_name_that_the_server_does_not_know(site: Browser, second: FakeOpenAI) -> None:
    found = try_out(site, address=second.base_url, api_key=KEY, served_name="huge")
    assert (found["outcome"], found["served"]) == ("model_unknown", ["large", "small"])
    listed = site.client.post(
        f"{MODELS}/served", json={"address": second.base_url, "api_key": KEY}
    ).get_json()
    assert listed["served"] == ["large", "small"]


def test_a_test_of_what_is_no_model(site: Browser, second: FakeOpenAI) -> None:
    root = second.base_url.removesuffix("/v1")
    second.served = None
    second.script(Scripted(status=404))
    assert try_out(site, address=root, api_key=KEY)["outcome"] == "not_openai"


def test_a_test_of_an_address_where_nobody_listens(site: Browser) -> None:
    assert try_out(site, address="http://127.0.0.1:9/v1")["outcome"] == "unreachable"
    assert try_out(site, address="http://nobody.invalid/v1")["outcome"] == "unreachable"


def test_a_redirect_is_not_followed(
    site: Browser, second: FakeOpenAI, openai_server: FakeOpenAI
) -> None:
    second.redirects_to = f"{openai_server.base_url}/chat/completions"
    assert try_out(site, address=second.base_url, api_key=KEY)["outcome"] == "redirected"
    assert site.chat("Hello", model="At home").status_code >= 500
    assert openai_server.requests == []


@pytest.mark.shares_sites
@pytest.mark.parametrize(
    "fields",
    [
        {"address": "http://169.254.169.254/latest"},
        {"address": "http://[fe80::1]/v1"},
        {"address": "http://[::ffff:169.254.169.254]/v1"},
        {"address": "http://0.0.0.0:8000/v1"},
        {"address": "file:///etc/passwd"},
        {"address": "http://user:secret@127.0.0.1/v1"},
        {"address": "http://127.0.0.1/v1?key=1"},
        {"address": "http://127.0.0.1:99999/v1"},
        {"address": None},
        {"protocol": "litellm", "served_name": "oobabooga/http://127.0.0.1:1/v1"},
        {"served_name": " "},
        {"served_name": "\ud800"},
        {"served_name": "a\u200bb"},
        {"name": "\ud800"},
        {"api_key": "two words"},
        {"api_key": "naïve"},
        {"name": " "},
        {"name": "x" * 81},
        {"context_tokens": 0},
    ],
)
def test_what_cannot_be_a_model_is_refused(
    browser: Browser, second: FakeOpenAI, fields: dict[str, object]
) -> None:
    form = {"name": "A", "address": second.base_url, "served_name": "small"} | fields
    assert browser.client.post(MODELS, json=form).status_code == 400
    assert browser.get(MODELS)["models"] == []


def test_a_name_is_taken_once(site: Browser, second: FakeOpenAI) -> None:
    form = {"name": "At home", "address": second.base_url, "served_name": "small"}
    assert site.client.post(MODELS, json=form).status_code == 409
    for name in ("fake-model", "offline/extractive"):
        assert site.client.post(MODELS, json=form | {"name": name}).status_code == 409


def test_users_see_names_alone(make_browser: Callable[..., Browser], second: FakeOpenAI) -> None:
    site = make_browser(**PROXY, operators=("ops",))
    form = {"name": "At home", "address": second.base_url, "served_name": "small", "api_key": KEY}
    assert site.client.post(MODELS, json=form, headers=ADA).status_code == 403
    assert site.client.post(MODELS, json=form, headers=OPS).status_code == 201
    assert site.client.get(MODELS, headers=ADA).status_code == 403
    listed = site.client.get("/api/v1/models", headers=ADA).get_json()["models"]
    assert {"name": "At home", "is_default": False, "stand_in": False} in listed
    assert site.client.get("/api/v1/status", headers=ADA).get_json()["operator"] is False
    said = {"message": "Hello", "model": "At home"}
    assert site.client.post("/chat", json=said, headers=ADA).get_json()["model"] == "At home"


def test_the_answers_length_and_the_context_are_the_models(
    site: Browser, second: FakeOpenAI
) -> None:
    [model] = site.get(MODELS)["models"]
    change(site, model, max_tokens=77, context_tokens=600)
    own = site.chat("x " * 300, model="At home").get_json()["conversation_id"]
    site.chat("And what did I say?", conversation_id=own)
    last = second.requests[-1].body
    assert last["max_tokens"] == 77
    assert sum(len(one["content"]) for one in last["messages"]) < 600 * 4
    assert change(site, model, max_tokens=None).get_json()["max_tokens"] is None


def test_what_an_operator_does_is_in_the_audit_log(site: Browser) -> None:
    [model] = site.get(MODELS)["models"]
    change(site, model, offered=False)
    site.client.delete(f"{MODELS}/{model['model_id']}")
    events = site.get("/api/v1/audit")["events"]
    done = [one["action"] for one in events if one["action"].startswith("model.")]
    assert done == ["model.delete", "model.change", "model.create"]
