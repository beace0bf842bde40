"""Prompts: texts that a user keeps, to put into messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from shared.models.library import PROMPTS as SHELF
from tests.integration.web.conftest import Browser
from tests.integration.web.identity.test_identification import PROXY
from tests.integration.web.transfers import send

pytestmark = pytest.mark.newcomers

PROMPTS = "/api/v1/prompts"
LETTER = {"name": "letter", "text": "Write a letter to {{name}} about {{matter}}."}
ADA, BOB = ({"X-Forwarded-User": name} for name in ("ada", "bob"))


def write(browser: Browser, **fields: object) -> dict[str, Any]:
    answer = browser.client.post(PROMPTS, json=LETTER | fields)
    assert answer.status_code == 201, answer.text
    prompt: dict[str, Any] = answer.get_json()
    return prompt


def names(browser: Browser) -> list[str]:
    return [prompt["name"] for prompt in browser.get(PROMPTS)["prompts"]]


def test_a_prompt_is_written_changed_and_deleted(browser: Browser) -> None:
    prompt = write(browser, name="  letter ", text="\nDear {{name}}\n")
    assert (prompt["name"], prompt["text"]) == ("letter", "Dear {{name}}")
    write(browser, name="autumn")
    assert names(browser) == ["autumn", "letter"]
    address = f"{PROMPTS}/{prompt['prompt_id']}"
    renamed = browser.client.patch(address, json={"name": "post"}).get_json()
    assert (renamed["name"], renamed["text"]) == ("post", "Dear {{name}}")
    reworded = browser.client.patch(address, json={"text": "Hello"}).get_json()
    assert (reworded["name"], reworded["text"]) == ("post", "Hello")
    assert browser.client.delete(address).status_code == 204
    assert browser.client.delete(address).status_code == 404
    assert browser.client.patch(address, json={"text": "Hello"}).status_code == 404
    assert names(browser) == ["autumn"]


def test_a_name_is_taken_once(browser: Browser) -> None:
    first = write(browser)
    conflict = browser.client.post(PROMPTS, json=LETTER)
    assert (conflict.status_code, conflict.get_json()["code"]) == (409, "name_taken")
    second = write(browser, name="autumn")
    other = f"{PROMPTS}/{second['prompt_id']}"
    assert browser.client.patch(other, json={"name": "letter"}).status_code == 409
    address = f"{PROMPTS}/{first['prompt_id']}"
    assert browser.client.patch(address, json={"name": "letter"}).status_code == 200
    assert names(browser) == ["autumn", "letter"]


@pytest.mark.parametrize(
    "fields",
    [
        {"name": " "}, {"name": "x" * 61}, {"name": "\x00"}, {"name": "\ud800"}, {"name": None},
        {"text": ""}, {"text": "x" * 8_001}, {"text": "\x00"}, {"model": "x"},
    ],
)  # fmt: skip
def test_what_is_no_prompt_is_refused(browser: Browser, fields: dict[str, object]) -> None:
    assert browser.client.post(PROMPTS, json=LETTER | fields).status_code == 400
    assert names(browser) == []


def test_what_a_prompt_cannot_become_is_refused(browser: Browser) -> None:
    address = f"{PROMPTS}/{write(browser)['prompt_id']}"
    for change in ({"name": " "}, {"text": "\x00"}, {"text": "x" * 8_001}):
        assert browser.client.patch(address, json=change).status_code == 400
    [prompt] = browser.get(PROMPTS)["prompts"]
    assert (prompt["name"], prompt["text"]) == tuple(LETTER.values())


def test_there_is_a_limit_to_their_count(browser: Browser) -> None:
    for number in range(SHELF.most):
        write(browser, name=f"letter {number:03}")
    refused = browser.client.post(PROMPTS, json=LETTER)
    assert (refused.status_code, refused.get_json()["code"]) == (409, "conflict")
    assert len(browser.get("/api/v1/export")["prompts"]) == SHELF.most


def test_nobody_sees_anothers_prompts(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY)
    prompt_id = site.client.post(PROMPTS, json=LETTER, headers=ADA).get_json()["prompt_id"]
    address = f"{PROMPTS}/{prompt_id}"
    assert site.client.get(PROMPTS, headers=BOB).get_json()["prompts"] == []
    assert site.client.patch(address, json={"text": "x"}, headers=BOB).status_code == 404
    assert site.client.delete(address, headers=BOB).status_code == 404
    assert site.client.post(PROMPTS, json=LETTER, headers=BOB).status_code == 201  # own names
    [prompt] = site.client.get(PROMPTS, headers=ADA).get_json()["prompts"]
    assert (prompt["prompt_id"], prompt["text"]) == (prompt_id, LETTER["text"])


def test_they_are_noted_exported_and_erased(browser: Browser) -> None:
    prompt = write(browser)
    address = f"{PROMPTS}/{prompt['prompt_id']}"
    browser.client.patch(address, json={"name": "post"})
    [exported] = json.loads(browser.client.get("/api/v1/export").text)["prompts"]
    assert exported == prompt | {"name": "post", "created_at": exported["created_at"]}
    browser.client.delete(address)
    noted = [event for event in browser.get("/api/v1/audit")["events"] if event["object"]]
    assert [event["action"] for event in noted if event["object"]["kind"] == "prompt"] == [
        "prompt.delete", "prompt.change", "prompt.create",
    ]  # fmt: skip
    write(browser)
    user = {"confirm": browser.get("/api/v1/status")["user_id"]}
    assert browser.client.delete("/api/v1/me", json=user).status_code == 200
    assert names(browser) == []


def test_an_import_brings_them_back_once(browser: Browser) -> None:
    write(browser)
    write(browser, name="autumn", text="Leaves")
    document = browser.get("/api/v1/export")
    user = {"confirm": browser.get("/api/v1/status")["user_id"]}
    assert browser.client.delete("/api/v1/me", json=user).status_code == 200
    write(browser, name="autumn", text="My own")
    document["prompts"] += [7, {"name": "x" * 61, "text": "x"}, {"name": "no text"}]
    for _ in range(2):
        report = send(browser, document)
        assert [note["code"] for note in report["errors"]] == ["prompt"] * 4
        assert "“autumn”" in report["errors"][0]["message"]
        prompts = {prompt["name"]: prompt["text"] for prompt in browser.get(PROMPTS)["prompts"]}
        assert prompts == {"autumn": "My own", "letter": LETTER["text"]}


def test_an_import_heeds_the_limit_to_their_count(browser: Browser) -> None:
    many = [{"name": f"letter {number:03}", "text": "Dear"} for number in range(SHELF.most + 1)]
    document = browser.get("/api/v1/export") | {"prompts": many}
    [note] = send(browser, document)["errors"]
    assert f"“{many[-1]['name']}”" in note["message"]
    assert len(browser.get("/api/v1/export")["prompts"]) == SHELF.most
