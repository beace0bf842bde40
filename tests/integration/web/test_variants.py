"""Variants of replies: kept when a reply is written again, chosen, rated, exported, deleted."""

from __future__ import annotations

import json
import threading
from typing import Any

from shared.db import fetch_rows
from shared.maintenance.verify import find_breaches
from shared.models import ConversationId
from tests.embedding import embed_pending
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.user_data.erasure.scanning import find_text
from tests.integration.web.conftest import Browser
from tests.integration.worker import work_off
from tests.services import as_owner
from tests.waiting import wait_for


def say(browser: Browser, server: FakeOpenAI, *replies: str, **place: str) -> str:
    """A round whose reply is written once for each text."""
    server.script(Scripted(text=replies[0]))
    result = browser.chat("Tell me something.", **place).get_json()
    for text in replies[1:]:
        server.script(Scripted(text=text))
        path = f"/chat/{result['conversation_id']}/{result['sequence']}/retry"
        assert browser.client.post(path, json={}).get_json()["reply"] == text
    return str(result["conversation_id"])


def change(browser: Browser, conversation_id: str, sequence: int = 1, **fields: object) -> Any:
    return browser.client.patch(
        f"/api/v1/conversations/{conversation_id}/messages/{sequence}", json=fields
    )


def texts(browser: Browser, conversation_id: str, sequence: int = 1) -> list[tuple[str, bool]]:
    variants = browser.get(f"/api/v1/conversations/{conversation_id}/messages/{sequence}/variants")[
        "variants"
    ]
    return [(variant["content"], variant["chosen"]) for variant in variants]


def breaches(browser: Browser) -> list[Any]:
    product = browser.context.services
    return list(find_breaches(product.database, product.settings, quiet=False))


def test_writing_again_keeps_each_reply(wired: Browser, openai_server: FakeOpenAI) -> None:
    conversation_id = say(wired, openai_server, "Apples.", "Pears.", "Plums.")
    assert texts(wired, conversation_id) == [
        ("Apples.", False),
        ("Pears.", False),
        ("Plums.", True),
    ]
    message = wired.messages(conversation_id)[1]
    assert (message["variant"], message["variants"]) == (3, [1, 2, 3])
    assert wired.messages(conversation_id)[0]["variants"] == [1]
    assert breaches(wired) == []


def test_the_chosen_one_is_the_message(wired: Browser, openai_server: FakeOpenAI) -> None:
    conversation_id = say(wired, openai_server, "Apples.", "Pears.", "Plums.")
    chosen = change(wired, conversation_id, variant=1).get_json()
    assert (chosen["content"], chosen["variant"], chosen["variants"]) == ("Apples.", 1, [1, 2, 3])
    assert texts(wired, conversation_id) == [
        ("Apples.", True),
        ("Pears.", False),
        ("Plums.", False),
    ]
    wired.chat("Go on.", conversation_id=conversation_id)
    contents = [m["content"] for m in openai_server.requests[-1].body["messages"]]
    assert "Apples." in contents
    assert not {"Pears.", "Plums."} & set(contents)
    assert breaches(wired) == []


def test_the_prompt_has_the_chosen_one_although_redis_had_the_other(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = say(wired, openai_server, "Apples.", "Pears.")
    turns = wired.context.services.short_term
    wait_for(lambda: not wired.context.runner._threads)  # those of both replies are there
    assert turns.list_turns(ConversationId(conversation_id))
    change(wired, conversation_id, variant=1)
    assert turns.list_turns(ConversationId(conversation_id)) == []


def test_memory_is_made_of_the_chosen_one(wired: Browser, openai_server: FakeOpenAI) -> None:
    product = wired.context.services
    conversation_id = say(wired, openai_server, "Fine.")
    for _ in range(2):
        say(wired, openai_server, "Fine.", conversation_id=conversation_id)
    say(
        wired,
        openai_server,
        "The Albatross sails.",
        "The Pelican sails.",
        conversation_id=conversation_id,
    )
    work_off(product)
    embed_pending(product)
    assert wired.get("/api/v1/search?q=Pelican")["messages"]
    change(wired, conversation_id, 7, variant=1)
    assert wired.get("/api/v1/search?q=Pelican")["messages"] == []
    [hit] = wired.get("/api/v1/search?q=Albatross")["messages"]
    assert hit["sequence_number"] == 7
    with as_owner(product) as connection:
        vectors = fetch_rows(
            connection, "SELECT 1 FROM message_embeddings WHERE sequence_number = 7"
        )
        newest = fetch_rows(connection, "SELECT status FROM memory WHERE end_sequence = 7")
    assert vectors == []
    assert {row["status"] for row in newest} == {"failed"}
    wired.chat("Thanks.", conversation_id=conversation_id)
    work_off(product)
    assert breaches(wired) == []


def test_only_the_newest_reply_can_be_replaced(wired: Browser, openai_server: FakeOpenAI) -> None:
    conversation_id = say(wired, openai_server, "Apples.", "Pears.")
    wired.chat("Go on.", conversation_id=conversation_id)
    assert change(wired, conversation_id, variant=1).status_code == 409
    assert change(wired, conversation_id, variant=2).status_code == 200  # it is already
    assert change(wired, conversation_id, 3, variant=2).status_code == 404
    assert change(wired, conversation_id, 2, variant=1).status_code == 404
    assert change(wired, conversation_id, variant=0).status_code == 400
    assert texts(wired, conversation_id) == [("Apples.", False), ("Pears.", True)]


def test_a_reply_that_failed_leaves_the_good_one_to_go_back_to(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = say(wired, openai_server, "Apples.")
    openai_server.script(Scripted(status=401))
    wired.client.post(f"/chat/{conversation_id}/1/retry", json={})
    failed = wired.messages(conversation_id)[1]
    assert (failed["status"], failed["variants"]) == ("failed", [1, 2])
    assert change(wired, conversation_id, variant=1).get_json()["variants"] == [1]
    assert wired.messages(conversation_id)[1]["status"] == "complete"
    assert breaches(wired) == []


def test_nothing_is_chosen_while_a_reply_is_written(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = say(wired, openai_server, "Apples.", "Pears.")
    goes_on = threading.Event()
    openai_server.script(Scripted(text="one two three four", goes_on=goes_on))
    events = wired.stream("Count.", conversation_id=conversation_id)
    next(events)
    assert change(wired, conversation_id, variant=1).status_code == 409
    goes_on.set()
    list(events)


def test_each_variant_has_a_rating_of_its_own(wired: Browser, openai_server: FakeOpenAI) -> None:
    conversation_id = say(wired, openai_server, "Apples.")
    assert change(wired, conversation_id, rating="down").get_json()["rating"] == "down"
    wired.client.post(f"/chat/{conversation_id}/1/retry", json={})
    assert wired.messages(conversation_id)[1]["rating"] is None
    assert change(wired, conversation_id, variant=1, rating="up").get_json()["rating"] == "up"
    assert change(wired, conversation_id, rating=None).get_json()["rating"] is None
    assert change(wired, conversation_id, rating="great").status_code == 400
    assert change(wired, conversation_id, 0, rating="up").status_code == 404


def test_the_trace_tells_tokens_and_times(wired: Browser, openai_server: FakeOpenAI) -> None:
    openai_server.by_task["reply"] = Scripted(tokens_in=500, tokens_out=3, tokens_cached=400)
    conversation_id = say(wired, openai_server, "Apples.")
    assert wired.messages(conversation_id)[1]["has_trace"] is True
    trace = wired.get(f"/api/v1/conversations/{conversation_id}/messages/1/trace")["trace"]
    assert trace["usage"] == {"tokens_in": 500, "tokens_out": 3, "tokens_cached": 400}
    assert {"first_token", "model"} <= trace["steps_ms"].keys()


def test_another_text_of_the_question_ends_the_variants(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = say(wired, openai_server, "Apples.", "Pears.")
    wired.client.post(f"/chat/{conversation_id}/0/edit", json={"message": "Something else."})
    assert wired.messages(conversation_id)[1]["variants"] == [1]
    # For 15 minutes:
    assert find_text(wired.context.services, "Apples") == [f"reply:{conversation_id}:1"]


def test_deleting_a_reply_deletes_all_its_variants(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = say(wired, openai_server, "Xylophone.", "Pears.")
    path = f"/api/v1/conversations/{conversation_id}/messages/1"
    counts = wired.client.delete(f"{path}?dry_run=true").get_json()["counts"]
    assert counts["variants"] == 1
    wired.client.delete(path)
    assert find_text(wired.context.services, "Xylophone") == []
    assert breaches(wired) == []


def test_forgetting_a_fact_everywhere_takes_the_variants_that_repeat_it(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    fact = {"category": "identity", "key": "city", "value": "Lisbon"}
    new_fact = wired.client.post("/api/v1/facts", json=fact).get_json()
    conversation_id = say(wired, openai_server, "You live in Lisbon.", "I will not say.")
    wired.client.delete(f"/api/v1/facts/{new_fact['fact_id']}?everywhere=true")
    assert texts(wired, conversation_id) == [("I will not say.", True)]
    assert find_text(wired.context.services, "Lisbon") == []


def test_storage_counts_all_variants(wired: Browser, openai_server: FakeOpenAI) -> None:
    def stored() -> int:
        with as_owner(wired.context.services) as connection:
            [row] = fetch_rows(connection, "SELECT message_bytes FROM conversations")
        return int(row["message_bytes"])

    conversation_id = say(wired, openai_server, "1234567890")
    before = stored()
    openai_server.script(Scripted(text="12345"))
    wired.client.post(f"/chat/{conversation_id}/1/retry", json={})
    assert stored() == before + 5
    change(wired, conversation_id, variant=1)
    assert stored() == before + 5
    wired.client.delete(f"/api/v1/conversations/{conversation_id}/messages/1")
    assert stored() == before - 10


def test_an_export_has_them_and_an_import_brings_them_back(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = say(wired, openai_server, "Apples.", "Pears.")
    change(wired, conversation_id, rating="down")
    change(wired, conversation_id, variant=1, rating="up")
    document = json.loads(wired.client.get("/api/v1/export").text)
    [message] = [m for m in document["conversations"][0]["messages"] if m["role"] == "assistant"]
    assert (message["content"], message["rating"]) == ("Apples.", 1)
    [other] = message["variants"]
    assert (other["content"], other["rating"], other["variant"]) == ("Pears.", -1, 2)
    wired.client.delete(f"/api/v1/conversations/{conversation_id}")
    assert wired.client.post("/api/v1/imports", json=document).status_code == 200
    [back] = wired.get("/api/v1/conversations")["conversations"]
    assert sorted(texts(wired, back["conversation_id"])) == [("Apples.", True), ("Pears.", False)]
    assert breaches(wired) == []


def test_a_follower_of_events_is_told(wired: Browser, openai_server: FakeOpenAI) -> None:
    conversation_id = say(wired, openai_server, "Apples.", "Pears.")
    change(wired, conversation_id, variant=1)
    change(wired, conversation_id, rating="up")
    change(wired, conversation_id, rating="up")
    stream = wired.client.get("/api/v1/events?wait=false", headers={"Last-Event-ID": "0"}).text
    assert stream.count("event: reply.changed") == 2
