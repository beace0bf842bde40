"""What a server refuses is known to all processes, shown to operators, and can be forgotten."""

from __future__ import annotations

from typing import Any

import pytest

from shared.llm import complete
from shared.llm.model_catalog import ModelCatalog
from shared.llm.request import ChatMessage, ModelRequest
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import DRAIN_S, Browser
from tests.integration.web.site_models.conftest import MODELS, change, set_up
from tests.integration.worker import work_off

NOTHING: dict[str, Any] = {"left_out": [], "answer_tokens": None, "context_tokens": None}
REFUSED = Scripted(status=400, error="Unknown field: stream_options")
TOO_LONG = Scripted(status=400, error="The maximum context length is 3000 tokens")


def limits_of(browser: Browser) -> Any:
    [model] = browser.get(MODELS)["models"]
    return model["limits"]


@pytest.fixture
def odd_site(site: Browser, second: FakeOpenAI) -> Browser:
    """Whose model has refused a field once, and was asked without it."""
    assert limits_of(site) == NOTHING
    second.script(REFUSED)
    assert site.chat("Hello", model="At home").status_code == 200
    return site


def test_what_was_refused_is_asked_for_no_more_and_shown(
    odd_site: Browser, second: FakeOpenAI
) -> None:
    odd_site.chat("And now?", model="At home")
    assert ["stream_options" in request.body for request in second.requests] == [True, False, False]
    assert limits_of(odd_site) == NOTHING | {"left_out": ["stream_options"]}


def test_another_process_knows_it_without_a_refusal(odd_site: Browser, second: FakeOpenAI) -> None:
    services = odd_site.context.services
    catalog = ModelCatalog(services.database, services.settings)
    hello = (ChatMessage(role="user", content="Hello"),)
    complete(ModelRequest(model="At home", messages=hello, purpose="reply"), catalog.settings())
    assert "stream_options" not in second.requests[-1].body
    assert len(second.requests) == 3


def test_the_environments_model_has_limits_too(site: Browser, openai_server: FakeOpenAI) -> None:
    openai_server.script(REFUSED)
    site.chat("Hello", model="fake-model")
    [limits] = site.get(MODELS)["environment_limits"].values()
    assert limits == NOTHING | {"left_out": ["stream_options"]}


def test_a_moved_model_begins_anew(odd_site: Browser, openai_server: FakeOpenAI) -> None:
    [model] = odd_site.get(MODELS)["models"]
    change(odd_site, model, offered=False)
    assert limits_of(odd_site) != NOTHING
    change(odd_site, model, served_name="large")
    assert limits_of(odd_site) == NOTHING
    change(odd_site, model, served_name="small")
    assert limits_of(odd_site) == NOTHING


def test_a_removed_model_leaves_nothing_behind(odd_site: Browser, second: FakeOpenAI) -> None:
    [model] = odd_site.get(MODELS)["models"]
    assert odd_site.client.delete(f"{MODELS}/{model['model_id']}").status_code == 204
    set_up(odd_site, second)
    assert limits_of(odd_site) == NOTHING


def test_a_test_of_the_model_learns_it_anew(odd_site: Browser, second: FakeOpenAI) -> None:
    [model] = odd_site.get(MODELS)["models"]
    place = {name: model[name] for name in ("address", "served_name", "model_id")}
    second.script(Scripted(status=400, error="'temperature' does not support 0"))
    tested = odd_site.client.post(f"{MODELS}/test", json=place).get_json()
    assert tested["outcome"] == "works"
    assert limits_of(odd_site) == NOTHING | {"left_out": ["temperature"]}


def test_a_test_of_a_model_that_is_not_set_up_is_learned_by_nobody(
    site: Browser, second: FakeOpenAI
) -> None:
    second.key = None
    second.script(REFUSED)
    place = {"address": second.base_url, "served_name": "small"}
    assert site.client.post(f"{MODELS}/test", json=place).get_json()["outcome"] == "works"
    assert limits_of(site) == NOTHING


def test_replies_and_memory_share_what_one_of_them_learned(
    site: Browser, second: FakeOpenAI
) -> None:
    [model] = site.get(MODELS)["models"]
    change(site, model, memory_default=True, chat_default=True)
    second.script(TOO_LONG)
    site.chat("My name is Ada. " * 1500)
    site.context.runner.drain(DRAIN_S)
    work_off(site.context.services)
    assert limits_of(site)["context_tokens"] == 3000
    sizes = [sum(len(m["content"]) for m in r.body["messages"]) for r in second.requests[2:]]
    assert max(sizes) < 3000 * 5
