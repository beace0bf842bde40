"""More than fits one page of the API."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from shared.db import Database, execute, fetch_row
from tests.e2e.page.chat_page import WORK_MS, ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.site import Site
from tests.services import owner_url
from tests.waiting import wait_for

ROUNDS = 40  # 80 messages; the page fetches 50 at a time
CONVERSATIONS = 32  # the page fetches 30 at a time
MESSAGES = 5000
TIME_YESTERDAY = re.compile(r"^Yesterday, \d\d:\d\d$")
ISO = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
AGE = """
    UPDATE conversations SET updated_at = now() - %(days)s * interval '1 day'
    WHERE conversation_id = %(conversation_id)s;
    UPDATE messages SET created_at = now() - %(days)s * interval '1 day'
    WHERE conversation_id = %(conversation_id)s
"""
LONG = """
    INSERT INTO conversations (user_id, agent, mode, title, last_sequence)
    VALUES ('local', 'general', 'off', 'A long one', %(last)s)
    RETURNING conversation_id
"""
FILL = """
    INSERT INTO messages (conversation_id, sequence_number, role, content, status)
    SELECT %(conversation_id)s, n, CASE n %% 2 WHEN 0 THEN 'user' ELSE 'assistant' END,
           'Message ' || n || '. ' || repeat('It has a few words more. ', n %% 7), 'complete'
    FROM generate_series(0, %(last)s) AS n
"""
LIST = """
    INSERT INTO conversations (user_id, agent, mode, title, created_at, updated_at)
    SELECT 'local', 'general', 'off', 'Listed ' || n || '.', at, at
    FROM generate_series(0, %(count)s - 1) AS n,
      LATERAL (SELECT clock_timestamp() - (%(count)s - n) * interval '1 millisecond' AS at) AS times
"""

# Of the messages that are loaded. Returns its number, and where it is before there are more.
SCROLL_TO_FIRST = """() => {
  document.getElementById('scroller').scrollTop = 0;
  const first = document.querySelector('.message');
  return [Number(first.dataset.sequence), first.getBoundingClientRect().top];
}"""


@pytest.fixture
def database(scripted_site: Site) -> Iterator[Database]:
    database = Database(owner_url(scripted_site.environment["DATABASE_URL"]), pool_size=1)
    yield database
    database.close()


def write_messages(database: Database, count: int) -> str:
    """A conversation of so many. Returns where it is."""
    with database.transaction() as connection:
        row = fetch_row(connection, LONG, last=count - 1)
        assert row is not None
        execute(connection, FILL, **row, last=count - 1)
    return f"/c/{row['conversation_id']}"


def message(chat: ChatPage, sequence: int) -> Locator:
    return chat.page.locator(f'[data-sequence="{sequence}"]')


def scroll(chat: ChatPage, pixels: int) -> None:
    """At once. A wheel turns over several frames, and nothing tells when it is at its end."""
    move = "(scroller, pixels) => scroller.scrollBy(0, pixels)"
    chat.page.locator("#scroller").evaluate(move, pixels)


def top_of(chat: ChatPage, sequence: int) -> float:
    top: float = message(chat, sequence).evaluate("node => node.getBoundingClientRect().top")
    return top


def test_older_messages_come_when_the_reader_scrolls_up(
    open_page: OpenPage, scripted_site: Site, database: Database
) -> None:
    path = write_messages(database, 2 * ROUNDS)
    chat = open_page(scripted_site.url, path=path)
    expect(chat.questions).to_have_count(25)
    expect(chat.replies.last).to_be_in_viewport()
    scroll(chat, -100_000)
    expect(chat.questions).to_have_count(ROUNDS)
    numbers = [text.split(".")[0] for text in chat.questions.all_inner_texts()]
    assert numbers == [f"Message {2 * number}" for number in range(ROUNDS)]
    expect(message(chat, 30)).to_be_in_viewport()


def test_a_message_far_back_opens_among_its_neighbours_and_what_is_said_there_stands_at_the_end(
    open_page: OpenPage, scripted_site: Site, database: Database
) -> None:
    chat = open_page(scripted_site.url, path=f"{write_messages(database, MESSAGES)}#2000")
    expect(message(chat, 2000)).to_be_focused()
    expect(message(chat, 2000)).to_be_in_viewport()
    assert chat.page.locator(".message").count() <= 150
    chat.page.evaluate("document.fonts.ready.then(() => true)")
    first, top = chat.page.evaluate(SCROLL_TO_FIRST)
    expect(message(chat, first - 1)).to_be_attached()
    # What is loaded above moves nothing.
    wait_for(lambda: abs(top_of(chat, first) - top) < 2, WORK_MS / 1000)
    scroll(chat, 100_000)
    expect(message(chat, 2040)).to_be_attached()
    chat.box.press("ArrowUp")  # the last one here is not the newest
    expect(chat.page.locator(".editing")).to_have_count(0)
    expect(chat.box).to_be_focused()
    go_to_the_newest(chat)
    scroll_far(chat)
    go_to_the_newest(chat)

    chat.page.evaluate("document.location.hash = '#1000'")
    expect(message(chat, 1000)).to_be_in_viewport()
    chat.send("Back to the present.")
    expect(chat.questions.last).to_have_text("Back to the present.")
    expect(message(chat, MESSAGES - 1)).to_be_attached()
    expect(chat.reply_text).to_have_text("Hello from the fake.")
    chat.wait_for_end()
    expect(chat.box).to_have_value("")


def go_to_the_newest(chat: ChatPage) -> None:
    chat.button("Go to the newest message").click()
    expect(message(chat, MESSAGES - 1)).to_be_in_viewport()
    assert chat.page.locator(".message").count() <= 100


def scroll_far(chat: ChatPage) -> None:
    """However far one scrolls, the page stays small."""
    for first in range(MESSAGES - 100, MESSAGES - 451, -50):
        scroll(chat, -100_000)
        expect(message(chat, first)).to_be_attached()
    assert chat.page.locator(".message").count() == 300
    expect(message(chat, MESSAGES - 1)).to_have_count(0)


def test_the_list_is_grouped_by_day_and_messages_tell_their_time(
    open_page: OpenPage, scripted_site: Site, database: Database
) -> None:
    ids = [scripted_site.chat(f"On day {n}.")["conversation_id"] for n in range(3)]
    with database.transaction() as connection:
        for days, conversation_id in enumerate(ids):
            execute(connection, AGE, days=days, conversation_id=conversation_id)
    chat = open_page(scripted_site.url, path=f"/c/{ids[1]}")
    show_in_list(chat, ids[1])
    for day, conversation_id in zip(("Today", "Yesterday"), ids, strict=False):
        group = chat.page.locator("section").filter(
            has=chat.page.locator(f"#conversation-{conversation_id}")
        )
        expect(group.get_by_role("heading")).to_have_text(day)
    expect(chat.page.locator("#messages time")).to_have_text([TIME_YESTERDAY] * 2)
    expect(chat.page.locator("#messages time").first).to_have_attribute("datetime", ISO)


def show_in_list(chat: ChatPage, conversation_id: str) -> None:
    """Other tests have chats on this site, too."""
    listed = chat.page.locator(".conversation")
    expect(listed.first).to_be_visible()
    while not chat.page.locator(f"#conversation-{conversation_id}").count():
        count = listed.count()
        chat.button("Show older").click()
        expect(listed).not_to_have_count(count)


def test_older_conversations_come_when_they_are_asked_for(
    open_page: OpenPage, scripted_site: Site, database: Database
) -> None:
    with database.transaction() as connection:
        execute(connection, LIST, count=CONVERSATIONS)
    chat = open_page(scripted_site.url)
    names = [f"Listed {number}." for number in reversed(range(CONVERSATIONS))]
    listed = chat.page.locator(".conversation")
    expect(listed).to_have_text(names[:30])
    expect(chat.page.get_by_role("heading", name="Today")).to_be_visible()
    chat.button("Show older").click()
    expect(listed.filter(has_text="Listed")).to_have_text(names)
