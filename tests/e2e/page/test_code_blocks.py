"""The box of code can be used while code is written, and keeps what is selected in it."""

from __future__ import annotations

import threading

from playwright.sync_api import expect

from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.test_markdown import open_imported
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted

# Hands the pieces to a ReplyText on the page, each of which is drawn at once, and selects and
# scrolls after the second. Returns what is selected and scrolled to after each, and after the end.
WRITE = """async (pieces) => {
  const { ReplyText } = await import('/modules/js/chat/replies/reply_text.js');
  await import('/modules/vendor/highlight.js');
  const root = document.createElement('div');
  root.className = 'prose';
  document.body.prepend(root); // the list of messages is hidden while there are none
  const text = new ReplyText(root);
  const later = window.setTimeout;
  window.setTimeout = (draw) => void draw();
  const look = () => {
    const code = root.querySelector('code');
    const isColoured = !!code.querySelector('.hljs-title');
    return [String(getSelection()), code.parentElement.scrollLeft, isColoured];
  };
  const views = [];
  for (const [index, piece] of pieces.entries()) {
    text.append(piece);
    if (index === 1) {
      const code = root.querySelector('code');
      getSelection().setBaseAndExtent(code.firstChild, 4, code.firstChild, 8);
      code.parentElement.scrollLeft = 30;
    }
    views.push(look());
  }
  window.setTimeout = later;
  text.set(text.text, true);
  await new Promise((done) => later(done, 0));
  return [...views, look()];
}"""


def test_what_is_selected_and_scrolled_to_stays_while_code_goes_on_and_gets_its_colours(
    chat: ChatPage,
) -> None:
    wide = f"    return '{'x' * 900}'\n"
    pieces = ["```python\n", f"def walk():\n{wide}", wide, "# end\n```\n", "Good."]
    views = chat.evaluate_modules(WRITE, pieces)
    assert views[1:4] == [["walk", 30, False]] * 3
    assert views[-1] == ["walk", 30, True]


def test_the_box_of_a_reply_that_is_written_can_be_used(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    chat.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lines = "\n".join(f"print({number}) # {number}" for number in range(400))
    text = f"```python\n{lines}\n```"
    model_server.script(Scripted(text=text, goes_on=threading.Event(), held_after=20))
    chat.send("Count.")
    expect(chat.reply_text.locator(".code-bar")).to_contain_text("python")
    expect(chat.reply_text.locator("code")).to_contain_text("print(3)")
    expect(chat.replies.last).to_have_attribute("data-status", "streaming")
    assert "print(1) # 1\nprint(2)" in chat.copy_by(chat.button("Copy code"))
    chat.stop_button.click()
    chat.wait_for_end()
    expect(chat.reply_text.locator(".hljs-built_in").first).to_be_visible()


SIZES = {"👍🏽": True, "🎉 🎉": True, "🎉 yes": False, "12": False}


def test_a_message_of_few_emoji_is_large(chat: ChatPage, scripted_site: Site) -> None:
    open_imported(chat, scripted_site, list(SIZES))
    sizes = chat.questions.evaluate_all(
        "nodes => nodes.map((node) => parseFloat(getComputedStyle(node).fontSize))"
    )
    assert [size > 30 for size in sizes] == list(SIZES.values())
