"""Background work in the panel, seen as it goes and run again; and work whose process is killed."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from playwright.sync_api import Locator, expect

from shared.ephemeral.keys import reply_key
from shared.models import ConversationId
from tests.e2e.conftest import SHORT_LEASE, environment_of
from tests.e2e.page.chat_page import WORK_MS, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.test_models import open_models
from tests.e2e.page.test_streaming import start_held_reply
from tests.e2e.site import Site, running_site
from tests.fakes.openai_server import FakeOpenAI, Scripted
from tests.services import Services
from tests.waiting import wait_for

SUMMARY = '{"points": [{"text": "They greeted each other.", "first": 0, "last": 5}]}'
START_MS = 90_000


@pytest.fixture(scope="module")
def working_site(
    services: Services, model_server: FakeOpenAI, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A site whose workers ask the scripted model, too."""
    model = {"LLM_MODEL": "fake-model", "LLM_API_BASE": model_server.base_url, "LLM_TRIES": "1"}
    with services.databases.lend() as url:
        environment = environment_of(services, url, 4) | SHORT_LEASE | model
        folder = tmp_path_factory.mktemp("working")
        with running_site(environment, folder, "web", "worker-llm", "beat") as running:
            yield running


@pytest.fixture
def answers(model_server: FakeOpenAI) -> Iterator[dict[str, Scripted]]:
    """What the model answers to each task."""
    model_server.by_task |= {
        "facts": Scripted(text='{"facts": []}'),
        "title": Scripted(text="Greetings"),
    }
    yield model_server.by_task
    model_server.by_task.clear()


def summaries(chat: ChatPage) -> Locator:
    return chat.panel.locator(".job").filter(has_text="Summary, messages")


def test_what_failed_says_why_runs_again_and_is_done(
    working_site: Site, open_page: OpenPage, answers: dict[str, Scripted]
) -> None:
    answers |= {"facts": Scripted(text="I can't help with that."), "summary": Scripted(status=400)}
    chat = open_page(working_site.url)
    chat.ask("I live in Porto.")
    note = chat.panel.get_by_text("no readable answer about one message")
    expect(note).to_be_visible(timeout=START_MS)
    answers["facts"] = Scripted(text='{"facts": []}')
    chat.button("Run again").click()
    expect(note).to_be_hidden(timeout=WORK_MS)

    for number in range(2):  # enough for a first summary
        chat.ask(f"Hello number {number}.")
    failed = summaries(chat).first
    expect(failed).to_contain_text("failed", timeout=START_MS)
    expect(failed).to_contain_text("did not accept the request")
    total = chat.panel.locator('.job-totals [data-kind="summary"]')
    expect(chat.panel.get_by_role("heading", name="This did not work")).to_be_visible()
    expect(chat.panel.get_by_role("heading", name="Background work")).to_be_hidden()  # folded
    expect(chat.button("Run again")).to_have_count(1)
    answers["summary"] = Scripted(text=SUMMARY)
    chat.unfold()
    expect(total).to_contain_text(re.compile(r"\d failed"))
    chat.button("Run again").click()
    expect(summaries(chat).first).to_contain_text("done", timeout=WORK_MS)
    expect(chat.button("Run again")).to_have_count(0)
    expect(chat.panel.get_by_role("heading", name="This did not work")).to_be_hidden()
    expect(total).to_contain_text("1 done")
    expect(chat.panel.locator(".summary")).to_contain_text("They greeted each other.")
    expect_a_check_of_the_model(chat, answers)


def expect_a_check_of_the_model(chat: ChatPage, answers: dict[str, Scripted]) -> None:
    """By a button, as the environment has set it."""
    answers["facts"] = Scripted(text='{"facts": []}')
    dialog = open_models(chat)
    row = dialog.locator(".token")
    expect(row).to_contain_text("Set by the environment, for memory")
    row.get_by_role("button").click()
    expect(row).to_contain_text("Notes facts by itself, as you set it")


def wait_until_logged(site: Site, conversation_id: str, word: str) -> None:
    """The page sees a word earlier if the writing process serves it."""
    key = reply_key(ConversationId(conversation_id), 7)
    with redis.Redis.from_url(site.environment["REDIS_URL"], decode_responses=True) as client:

        def is_logged() -> bool:
            entries: Any = client.xrange(key)
            return word in "".join(fields["text"] for _, fields in entries)

        wait_for(is_logged)


def test_work_goes_on_whose_process_was_killed_and_a_reply_ends_as_it_is_kept(
    working_site: Site,
    open_page: OpenPage,
    answers: dict[str, Scripted],
    model_server: FakeOpenAI,
) -> None:
    site = working_site
    begins = threading.Event()
    answers["summary"] = Scripted(text=SUMMARY, begins=begins)
    chat = open_page(site.url)
    chat.page.emulate_media(reduced_motion="reduce")  # what moves costs CPU, here for seconds
    chat.unfold()
    for number in range(3):  # enough for a first summary
        chat.ask(f"Hello number {number}.")
    expect(summaries(chat)).to_contain_text("running", timeout=START_MS)
    site.kill("worker-llm")
    expect(summaries(chat)).to_contain_text("running")
    site.start("worker-llm")
    expect(summaries(chat)).to_contain_text("running, try 2", timeout=START_MS)
    begins.set()
    expect(summaries(chat)).to_contain_text("done", timeout=WORK_MS)
    expect(chat.panel.locator(".summary")).to_contain_text("They greeted each other.")

    start_held_reply(chat, model_server)
    wait_until_logged(site, chat.conversation_id, "word5 ")
    site.kill("web")
    expect(chat.replies.last).to_contain_text("Reconnecting")
    site.start("web")
    chat.wait_for_end()
    expect(chat.replies.last).to_have_attribute("data-status", "partial")
    expect(chat.reply_text).to_contain_text("word5 ")
    expect(chat.replies.last).to_contain_text("The server was restarted")
    chat.expect_problem("ERR_")
    chat.page.close()  # or the panel would go on asking a site that is gone
