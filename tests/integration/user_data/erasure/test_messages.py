"""One message, or one round, and what was made of it; the rest stays and is made again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from shared.db import fetch_rows
from shared.derivations.kinds import do_job
from shared.embeddings.bulk_encoder import encode_with_tokens
from shared.maintenance.sweep import catch_up
from shared.maintenance.verify import find_breaches
from shared.models import ConversationId, MessageKey
from shared.models.job_kinds import DERIVATIONS
from shared.services import Services
from shared.store.lease import claims
from shared.store.search import message_vectors
from tests.embedding import embed_pending
from tests.fakes.fixtures import openai_server
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.integration.user_data.erasure.scanning import find_text
from tests.integration.web.conftest import Browser, browser, make_browser, wired
from tests.integration.worker import list_jobs, work_off
from tests.refusals import code_of
from tests.services import as_owner
from tests.waiting import wait_for

__all__ = ["browser", "make_browser", "openai_server", "wired"]

MARK = "Xylophagous"
TEXTS = (
    "My name is Ada.",
    "Tell me of tides.",
    f"My boat is called {MARK}.",
    "And how deep is the sea?",
    "What else?",
    "Go on.",
)


@pytest.fixture
def site(make_browser: Callable[..., Browser]) -> Browser:
    return make_browser(memory_window_limit=4)


def say(site: Browser, *texts: str) -> str:
    place: dict[str, str] = {}
    for text in texts:
        place = {"conversation_id": site.chat(text, **place).get_json()["conversation_id"]}
    wait_for(lambda: not site.context.runner._threads)
    work(site.context.services)
    return place["conversation_id"]


def work(product: Services) -> None:
    while due := list_jobs(product, "processing"):
        for job in due:
            do_job(product, job.kind, job.job_id)
    embed_pending(product)


def delete(site: Browser, conversation_id: str, sequence: int, query: str = "") -> Any:
    return site.client.delete(
        f"/api/v1/conversations/{conversation_id}/messages/{sequence}?{query}"
    )


def rows(product: Services, sql: str, **args: object) -> list[dict[str, Any]]:
    with as_owner(product) as connection:
        return [dict(row) for row in fetch_rows(connection, sql, **args)]


def test_a_round_is_gone_from_everything_and_the_rest_is_made_again(site: Browser) -> None:
    product = site.context.services
    conversation_id = say(site, *TEXTS)
    assert find_text(product, MARK)
    preview = delete(site, conversation_id, 4, "round=true&dry_run=true").get_json()
    assert MARK in preview["messages"][0]["text"]
    assert find_text(product, MARK)
    receipt = delete(site, conversation_id, 4, "round=true").get_json()
    assert receipt["counts"] == preview["counts"]
    assert receipt["counts"]["messages"] == 2
    assert {"summaries", "episodes", "facts", "vectors"} <= set(receipt["counts"])
    assert find_text(product, MARK) == []
    messages = site.messages(conversation_id)
    assert [m["sequence_number"] for m in messages] == list(range(12))
    assert [m["sequence_number"] for m in messages if m["deleted"]] == [4, 5]
    work_off(product)
    assert find_breaches(product.database, product.settings, quiet=True) == []
    spans = rows(product, "SELECT turn_range FROM episodic_memory WHERE status = 'completed'")
    assert {"4-7"} <= {row["turn_range"] for row in spans}
    assert find_text(product, MARK) == []
    assert {fact["key"] for fact in site.get("/api/v1/facts")["facts"]} == {"name"}


def test_the_deleted_message_is_not_given_found_nor_exported(site: Browser) -> None:
    conversation_id = say(site, *TEXTS)
    delete(site, conversation_id, 4, "round=true")
    assert site.get(f"/api/v1/search?q={MARK}")["messages"] == []
    assert MARK not in site.client.get("/api/v1/export").text
    assert MARK not in site.chat("What is my boat called?").get_json()["reply"]
    going_on = site.chat("And now?", conversation_id=conversation_id)
    assert going_on.status_code == 200
    assert site.messages(conversation_id)[-1]["sequence_number"] == 13


def test_the_first_message_takes_the_title_that_was_made_of_it(site: Browser) -> None:
    conversation_id = say(site, f"Plan a journey to {MARK} Island in May.", "Thank you.")
    assert MARK in site.get("/api/v1/conversations")["conversations"][0]["title"]
    delete(site, conversation_id, 0, "round=true")
    assert find_text(site.context.services, MARK) == []
    work_off(site.context.services)
    assert find_text(site.context.services, MARK) == []


def test_a_whole_span_without_a_message_is_not_summed_up(site: Browser) -> None:
    conversation_id = say(site, *TEXTS)
    product = site.context.services
    for sequence in (0, 2):
        assert delete(site, conversation_id, sequence, "round=true").status_code == 200
    work_off(product)
    assert find_breaches(product.database, product.settings, quiet=True) == []
    assert rows(
        product, "SELECT summary FROM episodic_memory WHERE turn_start = 0 AND status = 'deleted'"
    ) == [{"summary": None}]


def test_one_message_of_a_round_goes_and_the_other_stays(site: Browser) -> None:
    conversation_id = say(site, "My boat is called Albatross.", "Thank you.")
    assert delete(site, conversation_id, 1).get_json()["counts"]["messages"] == 1
    assert [m["deleted"] for m in site.messages(conversation_id)] == [False, True, False, False]
    assert delete(site, conversation_id, 1).status_code == 404
    assert delete(site, conversation_id, 8).status_code == 404
    assert delete(site, conversation_id, 1, "round=1").status_code == 400


def test_a_deleted_reply_can_be_written_again_a_deleted_message_not(wired: Browser) -> None:
    conversation_id = wired.chat("Hello").get_json()["conversation_id"]
    wait_for(lambda: not wired.context.runner._threads)
    assert delete(wired, conversation_id, 1).status_code == 200
    again = wired.client.post(f"/chat/{conversation_id}/1/retry", json={})
    assert again.get_json()["reply"] == "Hello from the fake."
    assert [m["deleted"] for m in wired.messages(conversation_id)] == [False, False]
    wait_for(lambda: wired.context.services.short_term.list_turns(ConversationId(conversation_id)))
    assert delete(wired, conversation_id, 0).status_code == 200
    assert wired.client.post(f"/chat/{conversation_id}/1/retry", json={}).status_code == 409
    edit = wired.client.post(f"/chat/{conversation_id}/0/edit", json={"message": "Hello again"})
    assert edit.status_code == 409


def test_a_message_stays_while_a_reply_is_written_beside_it(
    wired: Browser, openai_server: FakeOpenAI
) -> None:
    conversation_id = wired.chat("Hello").get_json()["conversation_id"]
    goes_on = threading.Event()
    openai_server.script(Scripted(text="one two three four", goes_on=goes_on))
    events = wired.stream("Count.", conversation_id=conversation_id)
    next(events)
    answer = delete(wired, conversation_id, 0)
    goes_on.set()
    assert (answer.status_code, code_of(answer)) == (409, "round_in_progress")
    list(events)
    assert delete(wired, conversation_id, 0).status_code == 200


@pytest.mark.parametrize("kind", ["summary", "episode", "facts", "title"])
def test_a_job_at_work_on_it_writes_nothing_and_is_done_again(
    site: Browser, openai_server: FakeOpenAI, make_browser: Callable[..., Browser], kind: str
) -> None:
    """The deletion comes while the model answers, with the words that it was given."""
    product = site.context.services
    place: dict[str, str] = {}
    for text in (f"I collect {MARK} beetles.", *TEXTS[:2], "Go on."):
        place = {"conversation_id": site.chat(text, **place).get_json()["conversation_id"]}
    wait_for(lambda: not site.context.runner._threads)
    [job] = [job for job in list_jobs(product, "processing") if job.kind == kind]
    derivation = DERIVATIONS[job.kind]
    with as_owner(product) as connection:
        claim = claims.begin(connection, derivation, job.job_id, 30)
    assert claim is not None
    assert delete(site, place["conversation_id"], 0, "round=true").status_code == 200
    texts = {
        "summary": {"memory_text": MARK}, "episode": {"summary": MARK}, "title": {"title": MARK},
        "facts": {"model": MARK},
    }  # fmt: skip
    with as_owner(product) as connection:
        assert not claims.complete(connection, derivation, claim, **texts[kind])
    work(product)
    catch_up(product)
    work_off(product)
    assert find_text(product, MARK) == []
    assert find_breaches(product.database, product.settings, quiet=True) == []


def test_a_vector_that_was_made_before_is_not_kept_after(site: Browser) -> None:
    conversation_id = site.chat(f"My boat is called {MARK}.").get_json()["conversation_id"]
    wait_for(lambda: not site.context.runner._threads)
    product = site.context.services
    with as_owner(product) as connection:
        [tickets] = message_vectors.list_unembedded(connection, 10).values()
        batch = message_vectors.read_unembedded(connection, tickets, 1000)
    delete(site, conversation_id, 0)
    encoded = encode_with_tokens([message.text for message in batch], product.settings)
    with as_owner(product) as connection:
        message_vectors.set_embeddings(connection, list(zip(batch, encoded, strict=True)), "model")
    vectors = rows(product, "SELECT conversation_id::text, sequence_number FROM message_embeddings")
    assert [MessageKey(*row.values()) for row in vectors] == [
        MessageKey(ConversationId(conversation_id), 1)
    ]


def test_another_ones_message_is_not_there(make_browser: Callable[..., Browser]) -> None:
    site = make_browser(auth_mode="proxy", trusted_proxies=("127.0.0.1",))
    ada, bob = ({"X-Forwarded-User": name} for name in ("ada", "bob"))
    result = site.client.post("/chat", json={"message": "Mine."}, headers=ada).get_json()
    path = f"/api/v1/conversations/{result['conversation_id']}/messages/0"
    assert site.client.delete(path, headers=bob).status_code == 404
    assert site.client.delete(path, headers=ada).status_code == 200
