"""Code has its box from its first line on, and the box stays the same one while code is written."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.page.chat_page import ChatPage
from tests.fakes.openai_server import FakeOpenAI, Scripted


@pytest.fixture
def chat(reopened_chat: ChatPage) -> ChatPage:
    return reopened_chat


# Hands the pieces to a ReplyText on the page, each of which is drawn at once. After each, and after
# the end, it takes what `AFTER` finds.
WRITE = """async (pieces) => {
  const { ReplyText } = await import('/static/js/chat/reply_text.js');
  const after = (root, index) => { AFTER };
  const root = document.createElement('div');
  root.className = 'prose';
  document.body.prepend(root); // the list of messages is hidden while there are none
  const text = new ReplyText(root);
  const later = window.setTimeout;
  window.setTimeout = (draw) => void draw();
  const seen = [];
  for (const [index, piece] of pieces.entries()) {
    text.append(piece);
    seen.push(after(root, index));
  }
  window.setTimeout = later;
  text.set(text.text, true);
  await new Promise((done) => later(done, 0));
  return [...seen, after(root, pieces.length)];
}"""
LOOK = """
  const boxes = [...root.querySelectorAll('.code-frame')];
  const [box] = boxes;
  root.firstBox ??= box;
  return [
    boxes.length, box && box === root.firstBox, box?.querySelector('.code-bar').textContent ?? '',
    box?.querySelector('code').textContent ?? '', root.textContent.includes('`'),
  ];
"""


def write(chat: ChatPage, pieces: list[str], after: str) -> list[Any]:
    seen: list[Any] = chat.page.evaluate(WRITE.replace("AFTER", after), pieces)
    return seen


def test_a_box_is_there_from_the_first_line_on_and_is_never_another(chat: ChatPage) -> None:
    pieces = [
        "Look:\n`",
        "``py",
        "thon\n",
        "def walk():\n",
        "    return `1`\n`",
        "``",
        "\n",
        "Good.",
    ]
    seen = write(chat, pieces, LOOK)
    assert [count for count, *_ in seen] == [0, 0, 1, 1, 1, 1, 1, 1, 1]
    boxed = seen[2:]
    assert all(is_first for _, is_first, *_ in boxed)
    assert {label for _, _, label, *_ in boxed} == {"python"}
    code = [code for *_, code, _ in boxed]
    assert code[0].strip() == ""
    assert code[1] == "def walk():\n"
    assert set(code[2:]) == {"def walk():\n    return `1`\n"}
    assert not any(has_ticks for *_, has_ticks in seen[:4])


def test_code_in_a_list_has_a_box_while_it_is_written(chat: ChatPage) -> None:
    seen = write(chat, ["1. First\n\n", "   ```sh\n", "   ls\n"], LOOK)
    assert [count for count, *_ in seen] == [0, 1, 1, 1]
    assert seen[-1][3] == "ls\n"


SELECT = """
  const code = root.querySelector('code');
  if (!code) return '';
  const node = code.firstChild;
  if (index === 1) {
    getSelection().setBaseAndExtent(node, 4, node, 8);
    code.parentElement.scrollLeft = 30;
  }
  const isColoured = !!code.querySelector('.hljs-title');
  return [String(getSelection()), code.parentElement.scrollLeft, isColoured];
"""


def test_what_is_selected_and_scrolled_to_stays_while_code_goes_on_and_gets_its_colours(
    chat: ChatPage,
) -> None:
    chat.page.evaluate("import('/static/vendor/highlight.js')")
    wide = f"    return '{'x' * 900}'\n"
    pieces = ["```python\n", f"def walk():\n{wide}", wide, "# end\n```\n", "Good."]
    seen = write(chat, pieces, SELECT)
    assert seen[1:4] == [["walk", 30, False]] * 3
    assert seen[-1] == ["walk", 30, True]


COUNT = """
  root.watch ??= Object.assign(new MutationObserver(() => {}), { added: 0 });
  if (index === 1) root.watch.observe(root, { childList: true, subtree: true });
  for (const { addedNodes } of root.watch.takeRecords()) root.watch.added += addedNodes.length;
  return root.watch.added;
"""


def test_no_node_is_made_for_a_further_line(chat: ChatPage) -> None:
    seen = write(chat, ["```\n", "first\n", *(f"line {number}\n" for number in range(300))], COUNT)
    assert seen[:-1] == [0] * 302


@pytest.mark.parametrize("end", ["", "\n```", "\n```\n\nAfter."])
def test_code_is_whole_however_it_ends(chat: ChatPage, end: str) -> None:
    seen = write(chat, ["```text\na", "\n``x", end], LOOK)
    assert seen[-1][3] == "a\n``x\n"
    assert seen[-1][0] == 1


def test_the_box_of_a_reply_that_is_written_can_be_used(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    chat.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lines = "\n".join(f"print({number}) # {number}" for number in range(400))
    model_server.script(Scripted(text=f"```python\n{lines}\n```", piece_delay_s=0.05))
    chat.send("Count.")
    expect(chat.reply_text.locator(".code-bar")).to_contain_text("python")
    expect(chat.reply_text.locator("code")).to_contain_text("print(3)")
    expect(chat.replies.last).to_have_attribute("data-status", "streaming")
    chat.button("Copy code").click()
    expect(chat.reply_text.get_by_text("Copied")).to_be_attached()
    assert "print(1) # 1\nprint(2)" in chat.page.evaluate("navigator.clipboard.readText()")
    chat.stop_button.click()
    chat.wait_for_end()
    expect(chat.reply_text.locator(".hljs-built_in").first).to_be_visible()


EMOJI = [
    (["I am 👩", "\u200d👧 here"], ["I am", "I am 👩\u200d👧 here"]),
    (["Good 👍", "🏽", "!"], ["Good", "Good", "Good 👍🏽!"]),
    (["🇵", "🇹 is"], ["", "🇵🇹 is"]),
    (["❤", "\ufe0f", " and"], ["", "", "❤\ufe0f and"]),
    (["Bye 👋"], ["Bye"]),
]


@pytest.mark.parametrize(("pieces", "drawn"), EMOJI)
def test_no_emoji_is_torn_while_a_reply_is_written(
    chat: ChatPage, pieces: list[str], drawn: list[str]
) -> None:
    seen = write(chat, pieces, "return root.textContent.trim()")
    assert seen == [*drawn, "".join(pieces)]


SIZES = [("👍🏽", True), ("🎉 🎉", True), ("🎉 yes", False), ("12", False)]


@pytest.mark.parametrize(("text", "is_large"), SIZES)
def test_a_message_of_few_emoji_is_large(chat: ChatPage, text: str, is_large: bool) -> None:
    chat.ask(text)
    size = chat.questions.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert (size > 30) is is_large
