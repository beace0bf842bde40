"""Import over HTTP: what a file may hold, and what is there afterwards."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.integration.web.conftest import Browser
from tests.integration.web.rows import row
from tests.integration.web.transfers import (
    CHATGPT,
    JSON,
    PROXY,
    conversations_of,
    dialogue,
    send,
    utterance,
)
from tests.refusals import code_of


def count(browser: Browser, table: str) -> int:
    counts = {
        "messages": "SELECT count(*) AS n FROM messages",
        "conversations": "SELECT count(*) AS n FROM conversations",
    }
    return int(row(browser, counts[table])["n"])


def test_an_imported_conversation_reads_as_it_was_said(browser: Browser) -> None:
    report = send(browser, {"conversations": [dialogue()]})
    assert report["status"] == "done"
    assert report["conversations"] == {"imported": 1, "skipped": 0, "failed": 0}
    assert (report["messages"], report["errors"]) == (4, [])
    [listed] = conversations_of(browser)
    assert (listed["title"], listed["last_sequence"]) == ("A dialogue", 3)
    messages = browser.messages(listed["conversation_id"])
    assert [(m["role"], m["content"]) for m in messages] == [
        ("user", "user says 0"),
        ("assistant", "assistant says 0"),
        ("user", "user says 1"),
        ("assistant", "assistant says 1"),
    ]
    assert [m["created_at"][11:16] for m in messages] == ["10:00", "10:01", "10:02", "10:03"]


def test_a_round_goes_on_where_an_imported_conversation_ends(browser: Browser) -> None:
    send(browser, dialogue())
    [listed] = conversations_of(browser)
    answer = browser.chat("And now?", conversation_id=listed["conversation_id"])
    assert answer.get_json()["sequence"] == 5


def test_of_chatgpts_tree_the_shown_branch_is_kept(browser: Browser) -> None:
    report = send(browser, [CHATGPT])
    assert report["left_out"] == {"other_branch": 1}
    [listed] = conversations_of(browser)
    messages = browser.messages(listed["conversation_id"])
    assert [m["content"] for m in messages] == ["Where to?", "Lisbon."]
    assert messages[0]["created_at"] == "2024-03-05T10:00:01.250000+00:00"
    assert messages[1]["model"] == "gpt-4"


def node(parent: str | None, role: str, text: str) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    message = {"author": {"role": role}, "content": content, "create_time": 1709632801}
    return {"parent": parent, "message": message}


TREE: dict[str, Any] = {
    "id": "tree",
    "title": "Trip",
    "current_node": "d",
    "mapping": {
        "a": node(None, "user", "Where to?"),
        "b": node("a", "assistant", "Lisbon."),
        "b2": node("a", "assistant", "Oslo."),
        "c": node("b", "user", "By train?"),
        "d": node("c", "assistant", "Yes."),
        "c2": node("b", "user", "By ship?"),
        "d2": node("c2", "assistant", "No."),
    },
}


def branches_at(browser: Browser, conversation_id: str, sequence: int) -> list[str]:
    page = browser.get(f"/api/v1/conversations/{conversation_id}/messages")
    [fork] = page["forks"]
    assert fork["sequence"] == sequence
    return list(fork["branches"])


def test_what_chatgpt_no_longer_shows_comes_by_choice_and_once(browser: Browser) -> None:
    report = send(browser, [TREE], query="?with_branches=true")
    assert (report["conversations"]["imported"], report["left_out"]) == (1, {})
    [shown] = conversations_of(browser)
    shown_id, branch_id = branches_at(browser, shown["conversation_id"], 2)
    assert shown["conversation_id"] == shown_id
    texts = [m["content"] for m in browser.messages(branch_id)]
    assert texts == ["Where to?", "Lisbon.", "By ship?", "No."]
    messages = browser.messages(shown_id)
    assert [m["content"] for m in messages] == ["Where to?", "Lisbon.", "By train?", "Yes."]
    assert messages[1]["variants"] == [1, 2]
    again = send(browser, [TREE], query="?with_branches=true")
    assert again["conversations"] == {"imported": 0, "skipped": 1, "failed": 0}
    assert send(browser, [TREE])["left_out"] == {}


def test_branches_may_be_fetched_after_the_shown_chat(browser: Browser) -> None:
    assert send(browser, [TREE])["left_out"] == {"other_branch": 3}
    report = send(browser, [TREE], query="?with_branches=true")
    assert report["conversations"] == {"imported": 0, "skipped": 1, "failed": 0}
    assert report["messages"] == 2
    [shown] = conversations_of(browser)
    assert len(branches_at(browser, shown["conversation_id"], 2)) == 2


def test_the_same_file_twice_is_there_once(browser: Browser) -> None:
    document = [dialogue(), dialogue(id=None, title="Without an id"), CHATGPT]
    assert send(browser, document)["conversations"]["imported"] == 3
    again = send(browser, document)
    assert again["conversations"] == {"imported": 0, "skipped": 3, "failed": 0}
    assert again["messages"] == 0
    assert count(browser, "conversations") == 3


def test_what_a_chat_has_grown_by_since_is_added(browser: Browser) -> None:
    send(browser, dialogue(rounds=2))
    [listed] = conversations_of(browser)
    conversation_id = listed["conversation_id"]
    turns = "SELECT array_agg(user_turn ORDER BY user_turn) AS n FROM messages WHERE role = 'user'"
    send(browser, dialogue(id="another", rounds=1))
    report = send(browser, dialogue(rounds=4))
    assert report["conversations"] == {"imported": 1, "skipped": 0, "failed": 0}
    assert report["messages"] == 4
    [note] = report["errors"]
    assert (note["index"], note["code"]) == (0, "grown")
    assert "4 messages that are new were added" in note["message"]
    messages = browser.messages(conversation_id)
    assert [m["content"] for m in messages[-4:]] == [
        "user says 2", "assistant says 2", "user says 3", "assistant says 3",
    ]  # fmt: skip
    assert (len(messages), row(browser, turns)["n"]) == (8, [1, 2, 3, 4, 5])
    assert send(browser, dialogue(rounds=4))["conversations"]["skipped"] == 1
    assert browser.chat("And now?", conversation_id=conversation_id).get_json()["sequence"] == 9


def test_a_chat_that_went_on_here_or_was_changed_there_is_left_as_it_is(browser: Browser) -> None:
    send(browser, [dialogue(rounds=2), dialogue(id="d-2", rounds=2, title="Changed")])
    conversation = next(c for c in conversations_of(browser) if c["title"] == "A dialogue")
    browser.chat("A word of my own.", conversation_id=conversation["conversation_id"])
    changed = dialogue(id="d-2", rounds=3)
    changed["messages"][0]["content"] = "Other words"
    report = send(browser, [dialogue(rounds=5), changed])
    assert report["conversations"] == {"imported": 0, "skipped": 2, "failed": 0}
    assert [note["code"] for note in report["errors"]] == ["changed", "changed"]
    assert count(browser, "messages") == 10


def test_imports_at_the_same_time_write_each_conversation_once(browser: Browser) -> None:
    document = [dialogue(id=f"d-{number}") for number in range(10)]
    together = threading.Barrier(4)

    def race(_: int) -> Any:
        together.wait()
        return send(browser, document)

    with ThreadPoolExecutor(4) as threads:
        reports = list(threads.map(race, range(4)))
    assert sum(report["conversations"]["imported"] for report in reports) == 10
    assert sum(report["conversations"]["skipped"] for report in reports) == 30
    assert count(browser, "messages") == 40


def test_a_conversation_that_cannot_be_read_does_not_keep_the_rest_out(browser: Browser) -> None:
    broken = [
        {"id": "x", "messages": [utterance("wizard", "Abracadabra")]},
        {"id": "y", "title": "neither"},
        "no object",
        {"id": "z", "messages": [utterance("user", "x") | {"content": {"deep": []}}, 7]},
    ]
    report = send(browser, [*broken, dialogue()])
    assert report["conversations"] == {"imported": 1, "skipped": 0, "failed": 4}
    assert [note["index"] for note in report["errors"]] == [0, 1, 2, 3]
    codes = [note["code"] for note in report["errors"]]
    assert (codes[1], {*codes[::2], codes[3]}) == ("unknown_form", {"unreadable_conversation"})


def test_the_list_of_errors_is_bounded(browser: Browser) -> None:
    report = send(browser, ["no object"] * 60)
    assert report["conversations"]["failed"] == 60
    assert len(report["errors"]) == 50


def test_of_a_file_that_is_broken_anywhere_nothing_is_imported(browser: Browser) -> None:
    whole = json.dumps([dialogue(), dialogue(id="d-2")])
    answer = browser.client.post("/api/v1/imports", data=whole[:-40], headers=JSON)
    body = answer.get_json()
    assert (answer.status_code, body["code"]) == (400, "broken_import")
    assert body["import"]["conversations"]["imported"] == 0
    assert body["import"]["status"] == "failed"
    assert count(browser, "conversations") == 0
    assert send(browser, whole)["conversations"]["imported"] == 2


def test_what_is_no_import_is_refused(browser: Browser) -> None:
    for body in (b"", b"7", b'"text"', b"[1] [2]", b'[{"a": "\xff"}]'):
        answer = browser.client.post("/api/v1/imports", data=body, headers=JSON)
        assert (answer.status_code, code_of(answer)) == (400, "broken_import")
    answer = browser.client.post(
        "/api/v1/imports", data=b"[]", headers={"Content-Type": "text/plain"}
    )
    assert code_of(answer) == "unsupported_type"


def test_what_a_database_cannot_hold_is_cleaned_away(browser: Browser) -> None:
    send(
        browser, b'[{"title": "T\\u0000", "messages": [{"role": "user", "content": "a\\u0000b"}]}]'
    )
    [listed] = conversations_of(browser)
    assert listed["title"] == "T"
    assert browser.messages(listed["conversation_id"])[0]["content"] == "ab"


def test_an_import_whose_process_died_shows_as_failed(browser: Browser) -> None:
    import_id = send(browser, dialogue())["import_id"]
    row(
        browser,
        """
        UPDATE imports SET status = 'running', touched_at = now() - interval '1 hour'
        RETURNING import_id
        """,
    )
    report = browser.get(f"/api/v1/imports/{import_id}")
    assert report["status"] == "failed"
    assert "Send the file again" in report["error"]


def test_nobody_sees_anothers_import_and_both_may_have_the_same_file(
    make_browser: Callable[..., Browser],
) -> None:
    site = make_browser(**PROXY)
    ada, bob = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
    report = send(site, dialogue(), **ada)
    path = f"/api/v1/imports/{report['import_id']}"
    assert site.client.get(path, headers=bob).status_code == 404
    assert site.get("/api/v1/imports", **bob)["imports"] == []
    assert send(site, dialogue(), **bob)["conversations"]["imported"] == 1


def test_a_chat_that_was_exported_as_markdown_comes_back(browser: Browser) -> None:
    send(browser, dialogue())
    [listed] = conversations_of(browser)
    address = f"/api/v1/conversations/{listed['conversation_id']}/export"
    text = browser.client.get(address).data
    markdown = {"Content-Type": "text/markdown"}
    answer = browser.client.post("/api/v1/imports", data=text, headers=markdown)
    assert answer.get_json()["conversations"]["imported"] == 1, answer.text
    first, second = (
        [(m["role"], m["content"], m["created_at"][:16]) for m in browser.messages(conversation_id)]
        for conversation_id in (
            conversation["conversation_id"] for conversation in conversations_of(browser)
        )
    )
    assert first == second
    again = browser.client.post("/api/v1/imports", data=text, headers=markdown)
    assert again.get_json()["conversations"]["skipped"] == 1


def test_an_unknown_file_is_named_as_such_and_its_import_has_failed(browser: Browser) -> None:
    for body in (b'{"a": 1}', b'[{"a": 1}, {"b": 2}]', b"# My notes\n", b"\x89PNG\r\n\x1a\n"):
        answer = browser.client.post("/api/v1/imports", data=body, headers=JSON)
        problem = answer.get_json()
        assert (answer.status_code, problem["code"]) == (400, "broken_import")
        assert "Not a known export." in problem["detail"]
        assert "LibreChat" in problem["detail"]
        assert problem["import"]["status"] == "failed"
