"""Text that is drawn while it grows: as often as it can be, and no more often than it should."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.page.chat_page import ChatPage
from tests.fakes.openai_server import FakeOpenAI, Scripted

# The browser's clock goes on by so much with each look at it, and so a drawing takes that long.
PAUSES = """async (tookMs) => {
  const { ReplyText } = await import('/static/js/chat/reply_text.js');
  const text = new ReplyText(document.createElement('div'));
  const [now, later] = [performance.now, window.setTimeout];
  let instant = 0;
  const pauses = [];
  performance.now = () => (instant += tookMs);
  window.setTimeout = (draw, pauseMs) => { pauses.push(pauseMs); draw(); };
  for (const piece of ['- one', '\\n- two', '\\n- three']) text.append(piece);
  [performance.now, window.setTimeout] = [now, later];
  return pauses;
}"""
DEEP = "\n".join("  " * depth + f"- item{depth}" for depth in range(300))


@pytest.mark.parametrize(
    ("took_ms", "pauses"), [(1, [40, 40, 40]), (100, [40, 400, 400]), (2000, [40, 8000, 8000])]
)
def test_what_takes_long_to_draw_is_drawn_less_often(
    chat: ChatPage, took_ms: int, pauses: list[int]
) -> None:
    assert chat.page.evaluate(PAUSES, took_ms) == pauses


def test_the_page_can_be_used_while_a_very_deep_list_is_written(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    model_server.script(Scripted(text=DEEP + "\n" + DEEP, piece_delay_s=0.02))
    chat.send("Say it.")
    expect(chat.reply_text).to_contain_text("item40")
    chat.box.press_sequentially("And then?")
    expect(chat.box).to_have_value("And then?")
    chat.stop_button.click()
    chat.wait_for_end()
    expect(chat.replies.last).to_have_attribute("data-status", "partial")
    expect(chat.reply_text).to_contain_text("item40")
