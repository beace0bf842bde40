"""A file to import gives the same, in whatever order the keys of its objects stand."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.budgets import count_cases
from tests.integration.web.attachments import add
from tests.integration.web.attachments import send as say_with
from tests.integration.web.branching import branched
from tests.integration.web.conftest import Browser
from tests.integration.web.test_own_memory import add_project, begin
from tests.integration.web.transfers import (
    CHATGPT,
    JSON,
    dialogue,
    export,
    forget_everything,
    send,
    utterance,
)

SHUFFLES = count_cases(3)
#: What an export says of a site and its clock, and not of what was imported.
OF_THE_SITE = {
    "exported_at", "audit_events", "imports", "users", "updated_at", "usage", "summaries",
}  # fmt: skip
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT")
ID_ENDINGS = ("_id", "id", "_from", "superseded_by")


def node(parent: str | None, role: str, text: str, second: int = 0) -> dict[str, Any]:
    message = {
        "author": {"role": role},
        "content": {"content_type": "text", "parts": [text]},
        "create_time": 1709632801 + second,
    }
    return {"parent": parent, "message": message}


CHATGPT_TREE = {
    "id": "tree",
    "title": "Trip",
    "mapping": {
        "a": node(None, "user", "Where to?"),
        "b": node("a", "assistant", "Lisbon."),
        "b2": node("a", "assistant", "Oslo."),
        "b1": node("a", "assistant", "Rome."),
        "c": node("b", "user", "By train?", 1),
        "d": node("c", "assistant", "Yes.", 2),
        "c2": node("b", "user", "By ship?", 1),
        "d2": node("c2", "assistant", "No.", 2),
    },
}
CLAUDE = {
    "uuid": "cl",
    "name": "Harbours",
    "created_at": "2025-06-01T08:00:00Z",
    "chat_messages": [
        {"uuid": "1", "sender": "human", "text": "Which?", "parent_message_uuid": "0",
         "attachments": [{"file_name": "a.txt", "extracted_content": "A list."}]},
        {"uuid": "2", "sender": "assistant", "text": "Porto.", "parent_message_uuid": "1"},
        {"uuid": "3", "sender": "assistant", "text": "Faro.", "parent_message_uuid": "1"},
    ],
}  # fmt: skip
WEB_UI = {
    "id": "ow",
    "title": "Boats",
    "pinned": True,
    "chat": {
        "title": "Inner",
        "messages": [],
        "history": {
            "messages": {
                message_id: {
                    "parentId": "u" if role == "assistant" else None,
                    "role": role,
                    "content": f"Text {message_id}.",
                    "timestamp": 1744577557,
                }
                for message_id, role in {"u": "user", "y": "assistant", "x": "assistant"}.items()
            }
        },
    },
}
LIBRE = {
    "conversationId": "lc",
    "title": "Lamps",
    "messages": [
        {"messageId": "a", "parentMessageId": "", "isCreatedByUser": True, "text": "Which?",
         "createdAt": "2025-06-01T08:00:00Z", "children": [
            {"messageId": "b", "parentMessageId": "a", "text": "Red.", "children": []},
            {"messageId": "c", "parentMessageId": "a", "text": "Blue.", "children": []}]},
    ],
}  # fmt: skip
CHATBOT_UI = {
    "version": 4,
    "history": [{"id": 1, "name": "Seas", "messages": dialogue()["messages"], "folderId": None}],
    "folders": [],
    "prompts": [],
}
GEMINI = [
    {"header": "Gemini Apps", "title": "Prompted Where to?", "products": ["Gemini Apps"],
     "time": f"2025-05-01T1{hour}:00:00.000Z", "safeHtmlItem": [{"html": f"<p>Porto {hour}.</p>"}]}
    for hour in (3, 2, 1)
]  # fmt: skip
PLAIN = dialogue(
    project="Trips",
    created_at="2024-03-05T10:00:00Z",
    messages=[
        utterance("user", "Hello", name="Ada", model="m"),
        utterance("assistant", "Hi", 1, rating=1, variants=[utterance("assistant", "Ho", 2)]),
    ],
)
OTHERS = {
    "plain": PLAIN,
    "list": [PLAIN, dialogue(id="d-2", project="TRIPS")],
    "chatgpt": [CHATGPT, CHATGPT_TREE],
    "claude": [CLAUDE],
    "open_webui": [WEB_UI],
    "libre_chat": LIBRE,
    "chatbot_ui": CHATBOT_UI,
    "gemini": GEMINI,
}


def shuffled(value: Any, arrange: Callable[[list[str]], list[str]]) -> Any:
    """The value with the keys of each object in another order."""
    if isinstance(value, dict):
        return {key: shuffled(value[key], arrange) for key in arrange(list(value))}
    if isinstance(value, list):
        return [shuffled(item, arrange) for item in value]
    return value


def orders() -> list[Callable[[list[str]], list[str]]]:
    """By the alphabet as `jq -S` writes them, backwards, and at random."""
    generator = random.Random(7)  # noqa: S311 - an order
    at_random = [lambda keys: generator.sample(keys, len(keys))] * SHUFFLES
    return [sorted, lambda keys: keys[::-1], *at_random]


def imported(browser: Browser, document: object) -> Any:
    """The report, and all that is stored."""
    forget_everything(browser)
    begun_at = datetime.now(UTC).isoformat()
    report = send(browser, document, query="?with_branches=true")
    exported = export(browser)
    names = {
        chat["conversation_id"]: "|".join(message["content"] for message in chat["messages"])
        for first in exported["conversations"]
        for chat in [first, *first["branches"]]
    }
    notes = sorted(note["message"] for note in report["errors"])
    return report["conversations"], report["left_out"], notes, neutral(exported, names, begun_at)


def neutral(value: Any, names: dict[str, str], begun_at: str) -> Any:
    """Without ids and times of the import. Conversations are named by what is said in them."""
    if isinstance(value, dict):
        return {
            key: names.get(item) if key.endswith(ID_ENDINGS) else neutral(item, names, begun_at)
            for key, item in value.items()
            if key not in OF_THE_SITE
        }
    if isinstance(value, list):
        return sorted((neutral(item, names, begun_at) for item in value), key=json.dumps)
    return "now" if INSTANT.match(str(value)) and value >= begun_at else value


@pytest.mark.parametrize("program", OTHERS)
def test_chats_of_any_program_are_the_same_in_any_order(browser: Browser, program: str) -> None:
    document = OTHERS[program]
    expected = imported(browser, document)
    assert expected[-1]["conversations"]
    for arrange in orders():
        assert imported(browser, shuffled(document, arrange)) == expected


def make_everything(browser: Browser) -> dict[str, Any]:
    """The export of a user with something in each section, and most of it in a private project."""
    persona = browser.client.post(
        "/api/v1/personas", json={"name": "Chef", "instructions": "You cook.", "mode": "active"}
    ).get_json()
    browser.client.post("/api/v1/prompts", json={"name": "Greet", "text": "Say hello."})
    add_project(browser, "Red", own_memory=True, persona_id=persona["persona_id"])
    add_project(browser, "Plain")
    for project in (None, "Red"):
        fact = {"category": "identity", "key": "name", "value": f"Ada {project}"}
        answer = browser.client.post("/api/v1/facts", json=fact | {"project": project})
        assert answer.status_code == 201, answer.text
    begin(browser, "Elsewhere.", project="Plain")
    begin(browser, "Nowhere.")
    chat = begin(browser, "One.", project="Red")
    say_with(browser, "Two.", add(browser, "A zygote."), conversation_id=chat)
    branch = branched(browser, chat, 2, "Second.")
    browser.chat("Third.", conversation_id=branch)
    branched(browser, branch, 4, "Third again.")
    return export(browser)


def test_an_export_of_ours_is_the_same_in_any_order(browser: Browser) -> None:
    document = make_everything(browser)
    expected = imported(browser, document)
    own_memories = {project["name"]: project["own_memory"] for project in expected[-1]["projects"]}
    assert own_memories == {"Red": True, "Plain": False}
    for arrange in orders():
        assert imported(browser, shuffled(document, arrange)) == expected


def test_branches_may_stand_before_what_they_branched_from(browser: Browser) -> None:
    document = make_everything(browser)
    expected = imported(browser, document)
    [chat] = [chat for chat in document["conversations"] if chat["branches"]]
    chat["branches"].reverse()
    assert imported(browser, document) == expected
    others = [other for other in document["conversations"] if other is not chat]
    flat = [*chat.pop("branches"), chat, *others]
    assert imported(browser, document | {"conversations": flat})[-1] == expected[-1]


def refuse(browser: Browser, document: object) -> str:
    forget_everything(browser)
    body = document if isinstance(document, str) else json.dumps(document)
    answer = browser.client.post("/api/v1/imports", data=body, headers=JSON)
    assert answer.status_code == 400, answer.text
    assert export(browser)["projects"] == export(browser)["conversations"] == []
    return str(answer.get_json()["detail"])


def test_no_chat_of_a_project_that_the_export_lacks_is_imported(browser: Browser) -> None:
    document = make_everything(browser)
    forget_everything(browser)
    listed: list[Any] = document["projects"]
    for projects in ([], None, listed[:1], listed[1:]):
        names = {project["name"] for project in projects or ()}
        report = send(browser, document | {"projects": projects})
        lacking = [
            chat for chat in document["conversations"] if chat["project"] not in {None, *names}
        ]
        assert report["conversations"]["failed"] >= len(lacking)
        assert {note["message"] for note in report["errors"]} >= {
            f"Its project “{chat['project']}” is not in the file." for chat in lacking
        }
        assert {chat["project"] for chat in export(browser)["conversations"]} == {None, *names}
        forget_everything(browser)


def test_a_project_that_is_named_twice_with_another_memory_is_refused(browser: Browser) -> None:
    twice = [{"name": "Red", "own_memory": True}, {"name": "RED", "own_memory": False}]
    head = {"format": "throughline-export", "conversations": [dialogue(project="red")]}
    for projects in (twice, twice[::-1]):
        assert "a project twice" in refuse(browser, head | {"projects": projects})
    for odd in ("yes", 1, "false"):
        project = {"name": "Red", "own_memory": odd}
        assert "cannot be read" in refuse(browser, head | {"projects": [project]})
    key_twice = json.dumps(head)[:-1] + ', "projects": [{"name": "Red", "own_memory": true, '
    assert "key twice" in refuse(browser, key_twice + '"own_memory": false}]}')
    assert "key twice" in refuse(
        browser, json.dumps(head)[:-1] + ', "projects": [], "projects": []}'
    )


def test_a_chat_finds_the_project_of_the_file_in_any_spelling(browser: Browser) -> None:
    add_project(browser, "Red")
    document = {
        "conversations": [dialogue(project="RED")],
        "projects": [{"name": "Red", "own_memory": True}],
        "format": "throughline-export",
    }
    send(browser, document)
    assert [chat["project"] for chat in export(browser)["conversations"]] == ["Red 2"]
