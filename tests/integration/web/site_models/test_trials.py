"""Models that an operator tries out before users see them, and what is refused."""

from __future__ import annotations

import socket
from typing import Any
from urllib.parse import urlsplit

import pytest

from shared.derivations.model_check import check_models
from shared.llm.providers.http_client import model_client
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.web.conftest import Browser
from tests.integration.web.site_models.conftest import (
    KEY,
    MODELS,
    change,
    set_up,
)


def try_out(browser: Browser, **fields: object) -> Any:
    return browser.client.post(f"{MODELS}/test", json={"served_name": "small"} | fields).get_json()


def test_a_test_that_works(site: Browser, second: FakeOpenAI) -> None:
    result = try_out(site, address=second.base_url, api_key=KEY)
    assert (result["outcome"], result["detail"], result["served"]) == ("works", None, None)
    assert second.requests[0].body["max_tokens"] == 16
    assert result["features"] == ["streams", "tools", "json", "pictures"]


def test_a_hosted_providers_models_are_listed_without_asking_anybody(site: Browser) -> None:
    place = {"protocol": "litellm", "prefix": "anthropic/"}
    served = site.client.post(f"{MODELS}/served", json=place).get_json()["served"]
    assert "anthropic/claude-sonnet-4-5" in served


def test_the_known_providers_are_told_with_where_their_keys_are(site: Browser) -> None:
    providers = {p["name"]: p for p in site.get(f"{MODELS}/providers")["providers"]}
    assert providers["Ollama"]["local"]
    assert providers["OpenAI"]["key_page"].startswith("https://")
    assert providers["Anthropic"]["protocol"] == "litellm"


def test_a_test_of_a_stored_model_uses_its_key(site: Browser, second: FakeOpenAI) -> None:
    [model] = site.get(MODELS)["models"]
    result = try_out(site, address=second.base_url, model_id=model["model_id"])
    assert result["outcome"] == "works"


def test_a_test_with_a_wrong_key(site: Browser, second: FakeOpenAI) -> None:
    result = try_out(site, address=second.base_url, api_key="sk-wrong-one")
    assert result["outcome"] == "key_refused"
    assert "sk-secret-key" not in str(result)


def test_a_test_of_a_name_that_the_server_does_not_know(site: Browser, second: FakeOpenAI) -> None:
    result = try_out(site, address=second.base_url, api_key=KEY, served_name="huge")
    assert (result["outcome"], result["served"]) == ("model_unknown", ["large", "small"])
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


@pytest.mark.parametrize("address", ["169.254.169.254", "fd00:ec2::254", "64:ff9b::a9fe:a9fe"])
def test_a_name_that_leads_to_a_clouds_answers_is_not_called(
    site: Browser, second: FakeOpenAI, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """Whether it did so when the model was set up, or does it only later."""
    real = socket.getaddrinfo
    port = urlsplit(second.base_url).port
    answers = {"model.example": "127.0.0.1", "cloud.example": address}

    def look_up(host: Any, *args: Any, **options: Any) -> Any:
        return real(answers.get(host, host), *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    form = {"name": "Cloud", "address": f"http://cloud.example:{port}/v1", "served_name": "small"}
    assert site.client.post(MODELS, json=form).status_code == 400
    assert site.client.post(f"{MODELS}/test", json=form | {"name": None}).status_code == 400
    set_up(site, second, name="By name", address=f"http://model.example:{port}/v1")
    assert site.chat("Hello", model="By name").status_code == 200
    answers["model.example"] = address
    model_client.cache_clear()  # else the connection from before is used
    assert site.chat("Hello", model="By name").status_code == 503
    assert len(second.requests) == 1


@pytest.mark.shares_sites
@pytest.mark.parametrize(
    "fields",
    [
        {"address": "http://169.254.169.254/latest"},
        {"address": "http://[fe80::1]/v1"},
        {"address": "http://[::ffff:169.254.169.254]/v1"},
        {"address": "http://0.0.0.0:8000/v1"},
        {"address": "http://[64:ff9b::a9fe:a9fe]/v1"},
        {"address": "http://[2002:a9fe:a9fe::]/v1"},
        {"address": "http://[fd00:ec2::254]/v1"},
        {"address": "http://[fe80::a9fe:a9fe%25eth0]/v1"},
        {"address": "http://169.254.169.254./v1"},
        {"address": "http://2852039166/v1"},
        {"address": "http://0xa9.0376.43518/v1"},
        {"address": "http://%31%36%39.254.169.254/v1"},
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


def examine(browser: Browser, model: Any) -> Any:
    return browser.client.post(f"{MODELS}/{model['model_id']}/examination")


def test_an_examination_is_begun_and_its_result_stands_with_the_model(
    site: Browser, second: FakeOpenAI
) -> None:
    [model] = site.get(MODELS)["models"]
    assert (model["examination"], model["trust"], model["notes_facts"]) == (None, None, True)
    begun = examine(site, model)
    assert begun.status_code == 202
    assert begun.get_json()["examination"] == {
        "asked_count": 0, "notes": 60, "done": False, "passed": False,
        "traps": 0, "believed": 0, "plain": 0, "lost": 0,
    }  # fmt: skip
    second.by_task["facts"] = Scripted(text='{"facts": []}')
    check_models(site.context.services)
    [model] = site.get(MODELS)["models"]
    examination = model["examination"]
    assert (examination["done"], examination["passed"], examination["lost"]) == (True, False, 4)


def test_an_operator_says_whether_a_models_word_is_taken(site: Browser) -> None:
    [model] = site.get(MODELS)["models"]
    changed = change(site, model, trust="never").get_json()
    assert (changed["trust"], changed["notes_facts"]) == ("never", False)
    assert change(site, model, trust=None).get_json()["notes_facts"]
    assert change(site, model, trust="sometimes").status_code == 400


def test_at_another_place_it_counts_as_unexamined(site: Browser) -> None:
    [model] = site.get(MODELS)["models"]
    examine(site, model)
    assert change(site, model, offered=False).get_json()["examination"]
    assert change(site, model, served_name="large").get_json()["examination"] is None


def test_the_environments_model_for_memory_is_examined_too(site: Browser) -> None:
    assert site.get(MODELS)["environment_memory"] == {
        "name": "fake-model",
        "memory_default": True,
        "notes_facts": True,
        "examination": None,
    }
    begun = site.client.post(f"{MODELS}/environment/examination").get_json()
    assert begun["examination"]["asked_count"] == 0
    assert site.get(MODELS)["environment_memory"] == begun
    [model] = site.get(MODELS)["models"]
    assert model["examination"] is None
    change(site, model, memory_default=True)
    assert not site.get(MODELS)["environment_memory"]["memory_default"]


def test_the_stand_in_cannot_be_examined(browser: Browser) -> None:
    assert browser.get(MODELS)["environment_memory"] is None
    assert browser.client.post(f"{MODELS}/environment/examination").status_code == 404
