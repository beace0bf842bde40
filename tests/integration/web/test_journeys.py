"""A user's data on its way from one site to another: out by an export, in by an import."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from shared.errors import ConflictError
from shared.models import UserId
from shared.store import imports
from shared.store.imports import Tally
from shared.user_data.imports.importer import import_file, import_section
from shared.user_data.imports.outline import Section
from shared.user_data.imports.sections import Limits
from shared.user_data.imports.target import Target
from shared.user_data.imports.upload import Upload
from tests.integration.user_data.erasure.scanning import find_text
from tests.integration.web.attachments import add
from tests.integration.web.attachments import send as say_with
from tests.integration.web.branching import branched, forks, settle, texts
from tests.integration.web.conftest import Browser
from tests.integration.web.transfers import (
    PROXY,
    by_title,
    conversations_of,
    dialogue,
    export,
    forget_everything,
    rename,
    send,
    utterance,
)

ADA, BOB = ({"X-Forwarded-User": name} for name in ("ada", "bob"))


def test_a_chat_comes_back_with_its_persona_its_model_and_its_place(browser: Browser) -> None:
    about = {"name": "Chef", "instructions": "You cook.", "mode": "passive"}
    chef = browser.client.post("/api/v1/personas", json=about).get_json()
    result = browser.chat("What is for supper?", persona_id=chef["persona_id"]).get_json()
    rename(browser, result["conversation_id"], "Supper", pinned=True)
    document = export(browser)
    document["conversations"][0]["model"] = "far/away"
    forget_everything(browser)
    report = send(browser, document)
    [note] = report["errors"]
    assert (note["index"], note["code"]) == (0, "model")
    assert "“far/away” is not offered here" in note["message"]
    [persona] = browser.get("/api/v1/personas")["personas"]
    assert {key: persona[key] for key in about} == about
    supper = by_title(browser)["Supper"]
    assert (supper["persona_id"], supper["model"]) == (persona["persona_id"], "far/away")
    assert (supper["mode"], supper["pinned"]) == ("passive", True)
    again = send(browser, document)
    assert (again["conversations"]["skipped"], again["errors"]) == (1, [])
    assert len(browser.get("/api/v1/personas")["personas"]) == 1


def test_a_persona_whose_name_is_taken_stays_as_it_is(browser: Browser) -> None:
    about = {"name": "Chef", "instructions": "You cook."}
    chef = browser.client.post("/api/v1/personas", json=about).get_json()
    path = f"/api/v1/personas/{chef['persona_id']}"
    browser.chat("Hello", persona_id=chef["persona_id"])
    document = export(browser)
    forget_everything(browser)
    mine = browser.client.post("/api/v1/personas", json=about | {"instructions": "You bake."})
    unreadable = [7, {"name": "x" * 61, "instructions": "a", "mode": "off"}, {"name": "No words"}]
    document["personas"] += unreadable
    report = send(browser, document)
    assert [note["code"] for note in report["errors"]] == ["persona"] * 4
    assert "“Chef”" in report["errors"][0]["message"]
    [persona] = browser.get("/api/v1/personas")["personas"]
    assert persona == mine.get_json()
    assert conversations_of(browser)[0]["persona_id"] == persona["persona_id"]
    assert path != f"/api/v1/personas/{persona['persona_id']}"


def test_a_branch_is_a_branch_again(wired: Browser) -> None:
    conversation_id = wired.chat("One.").get_json()["conversation_id"]
    for text in ("Two.", "Three."):
        wired.chat(text, conversation_id=conversation_id)
    second = branched(wired, conversation_id, 4, "Third.")
    third = branched(wired, second, 2, "Second.")
    rename(wired, third, "Numbers")
    settle(wired)
    document = export(wired)
    forget_everything(wired)
    assert send(wired, document)["conversations"]["imported"] == 1
    assert family_of(wired, "Numbers") == [
        ["One.", "Two.", "Three."],
        ["One.", "Second."],
        ["One.", "Two.", "Third."],
    ]
    settle(wired)
    assert send(wired, document)["conversations"]["skipped"] == 1
    assert send(wired, export(wired))["conversations"]["skipped"] == 1
    second_journey = export(wired)
    forget_everything(wired)
    send(wired, second_journey)
    assert len(family_of(wired, "Numbers")) == 3
    settle(wired)


def family_of(browser: Browser, title: str) -> list[list[str]]:
    """What the user says in the chat's first conversation, then in its branches."""
    first = by_title(browser)[title]["chat_id"]
    others = [branches[1] for _, branches, _ in forks(browser, first)]
    return [texts(browser, each) for each in (first, *others)]


def test_a_branch_of_what_is_not_here_stays_by_itself(wired: Browser) -> None:
    conversation_id = wired.chat("One.").get_json()["conversation_id"]
    wired.chat("Two.", conversation_id=conversation_id)
    branched(wired, conversation_id, 2, "Second.")
    document = export(wired)
    [parent] = document["conversations"]
    [branch] = parent["branches"]
    forget_everything(wired)
    circle = branch | {"conversation_id": "c", "branched_from": "c"}
    other = dialogue(id=parent["conversation_id"])
    report = send(wired, document | {"conversations": [branch, circle, other]})
    assert report["conversations"]["imported"] == 3
    for conversation in conversations_of(wired):
        assert forks(wired, conversation["conversation_id"]) == []
    late = branch | {"conversation_id": "late"}  # its parent here says something else
    send(wired, document | {"conversations": [late]})
    for conversation in conversations_of(wired):
        assert forks(wired, conversation["conversation_id"]) == []
    settle(wired)


def test_a_branch_with_deleted_messages_begins_where_it_did(wired: Browser) -> None:
    conversation_id = wired.chat("One.").get_json()["conversation_id"]
    for text in ("Two.", "Three."):
        wired.chat(text, conversation_id=conversation_id)
    branched(wired, conversation_id, 4, "Third.")
    for sequence in (0, 1):
        wired.client.delete(f"/api/v1/conversations/{conversation_id}/messages/{sequence}")
    document = export(wired)
    forget_everything(wired)
    send(wired, document)
    [shown] = conversations_of(wired)
    [(sequence, ids, _)] = forks(wired, shown["conversation_id"])
    assert (sequence, len(ids)) == (2, 2)
    settle(wired)


def keep_something(browser: Browser) -> dict[str, Any]:
    """The export of a user who has something in each section."""
    browser.client.post("/api/v1/personas", json={"name": "Chef", "instructions": "You cook."})
    browser.client.post("/api/v1/prompts", json={"name": "Greet", "text": "Say hello."})
    browser.client.post("/api/v1/projects", json={"name": "Work", "own_memory": True})
    browser.client.post(
        "/api/v1/facts", json={"category": "identity", "key": "name", "value": "Ada"}
    )
    say_with(browser, "Read the zygote.", add(browser, "A zygote."))
    return export(browser)


def check_nothing_remains(browser: Browser) -> None:
    document = export(browser)
    sections = ("users", "personas", "facts", "conversations", "attachments", "imports")
    assert [document[name] for name in sections] == [[]] * len(sections)
    assert find_text(browser.context.services, "zygote") == []


class Erasing(io.BytesIO):
    """A file, while which arrives its user is erased."""

    def __init__(self, content: bytes, browser: Browser) -> None:
        super().__init__(content)
        self._browser = browser

    def read(self, size: int | None = -1, /) -> bytes:
        if piece := super().read(size):
            forget_everything(self._browser)
        return piece


def test_of_a_user_who_is_erased_while_a_file_arrives_nothing_remains(browser: Browser) -> None:
    file = Erasing(json.dumps(keep_something(browser)).encode(), browser)
    with pytest.raises(ConflictError):
        import_file(browser.context.services, UserId("local"), file)
    check_nothing_remains(browser)


@pytest.mark.parametrize("section", ["personas", "prompts", "projects", "facts", "conversations"])
def test_of_a_user_who_is_erased_before_a_section_is_imported_nothing_remains(
    browser: Browser, section: Section
) -> None:
    text = json.dumps(keep_something(browser)).encode()
    services, user_id = browser.context.services, UserId("local")
    with services.database.transaction(user=user_id) as connection:
        import_id = imports.start_import(connection, user_id)
    target = Target(user_id=user_id, import_id=import_id, is_own=True)
    forget_everything(browser)
    upload = Upload(lambda: iter([io.BytesIO(text)]), Limits())
    with pytest.raises(ConflictError):
        import_section(services, target, Tally(), upload, section)
    check_nothing_remains(browser)


def test_what_is_nested_without_end_in_any_section_stops_nothing(browser: Browser) -> None:
    deep = "[" * 100_000 + "]" * 100_000
    head = '{"format": "throughline-export"'
    files = f'[{{"attachment_id": {deep}}}, {{"attachment_id": "a", "content": [{deep}]}}, {deep}]'
    messages = '[{"role": "user", "content": "Read.", "attachments": [{"attachment_id": "a"}]}]'
    chats = f'[{{"id": "x", "messages": {messages}}}, {deep}]'
    lists = "".join(f', "{name}": [{deep}]' for name in ("personas", "facts", "forgotten_facts"))
    report = send(browser, f'{head}{lists}, "conversations": {chats}, "attachments": {files}}}')
    assert report["conversations"] == {"imported": 1, "skipped": 0, "failed": 1}
    assert [note["code"] for note in report["errors"]] == [
        "persona", "facts", "unreadable_conversation", "file",
    ]  # fmt: skip


@pytest.mark.parametrize("whole", [True, False])
def test_whoever_deletes_while_an_export_is_read_gets_it_as_it_was(
    browser: Browser, whole: bool
) -> None:
    messages = [utterance("user", f"zygote {n} " + "x" * 20_000) for n in range(40)]
    replies = [utterance("assistant", "Yes.") for _ in messages]
    both = [message for pair in zip(messages, replies, strict=True) for message in pair]
    send(browser, dialogue(messages=both))
    [chat] = conversations_of(browser)
    path = f"/api/v1/conversations/{chat['conversation_id']}"
    answer = browser.client.get(
        "/api/v1/export" if whole else f"{path}/export?format=json", buffered=False
    )
    blocks = iter(answer.iter_encoded())
    begun = next(blocks)
    if whole:
        forget_everything(browser)
    else:
        assert browser.client.delete(path).status_code == 200
    document = json.loads(b"".join([begun, *blocks]))
    assert len(document["conversations"][0]["messages"]) == 80
    assert find_text(browser.context.services, "zygote") == []


def test_each_user_imports_for_themselves(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(**PROXY)
    site.client.post(
        "/api/v1/personas", json={"name": "Chef", "instructions": "You cook."}, headers=ADA
    )
    site.client.post(
        "/api/v1/facts", json={"category": "identity", "key": "name", "value": "Ada"}, headers=ADA
    )
    site.client.post("/chat", json={"message": "Hello"}, headers=ADA)
    document = export(site, **ADA)
    send(site, document, **BOB)
    assert [fact["value"] for fact in site.get("/api/v1/facts", **BOB)["facts"]] == ["Ada"]
    [hers] = site.get("/api/v1/personas", **ADA)["personas"]
    [his] = site.get("/api/v1/personas", **BOB)["personas"]
    assert hers["persona_id"] != his["persona_id"]
    assert len(conversations_of(site, **ADA)) == len(conversations_of(site, **BOB)) == 1
