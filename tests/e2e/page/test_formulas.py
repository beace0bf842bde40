"""Formulas in replies and messages are drawn; what only looks like one, and hostile TeX, is not."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage, Scheme
from tests.e2e.page.test_access import AXE, find_serious
from tests.e2e.page.test_widths import OVERFLOW
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted

DRAWN = "span.math"
SOURCES = """nodes => nodes.map((node) => [
  node.querySelector('annotation').textContent.trim(), node.classList.contains('is-displayed'),
])"""
TOO_WIDE = "node => node.scrollWidth - node.clientWidth"

# Draws texts as finished replies, and calls a function with each one's element.
DRAW = """async (texts) => {
  const { ReplyText } = await import('/static/js/chat/reply_text.js');
  const { drawFormulas } = await import('/static/js/text/formulas.js');
  const found = [];
  for (const text of texts) {
    const root = document.createElement('div');
    document.body.append(root);
    new ReplyText(root).set(text, true);
    await drawFormulas(root);
    found.push((LOOK)(root));
    root.remove();
  }
  return found;
}"""
FORMULAS: list[tuple[str, list[list[Any]]]] = [
    ("Take $a_1 * b_2 * c_3$ here.", [["a_1 * b_2 * c_3", False]]),
    (r"Take \(x^2_i\) and \(y_i\).", [["x^2_i", False], ["y_i", False]]),
    ("So $$E = m c^2_0 * k_0$$ holds.", [["E = m c^2_0 * k_0", True]]),
    ("So\n\n$$\na_1 + b_1\n- c_1 < d\n$$\n\nholds.", [["a_1 + b_1\n- c_1 < d", True]]),
    ("\\[\n\\frac{a_1}{b_1}\n\\]", [["\\frac{a_1}{b_1}", True]]),
    ("```math\nx^2\n```\n\nand `$y$`", [["x^2", True]]),
    (r"$\fcolorbox{red}{yellow}{A}$", [[r"\fcolorbox{red}{yellow}{A}", False]]),
    ("It costs $5, or $10 for two, $7 or more in US$.", []),
    ("`$a_1$` and $HOME/$USER, ```$b$``` and $$", []),
    ("```\n$a$\n```\n\n    $b$", []),
    (r"\$a$ and $ b $ and $c", []),
    (r"bad $\frac{1$ and $<img src=x onerror=alert(1)>\frac$ and $\unknown$", []),
]


def draw(chat: ChatPage, texts: list[str], look: str) -> list[Any]:
    found: list[Any] = chat.page.evaluate(DRAW.replace("LOOK", look), texts)
    return found


def answer(chat: ChatPage, model_server: FakeOpenAI, text: str) -> Locator:
    model_server.script(Scripted(text=text))
    chat.ask("Show me.")
    return chat.reply_text.locator(DRAWN)


def test_formulas_are_drawn_and_what_is_none_stays_as_it_was_written(chat: ChatPage) -> None:
    look = f"(root) => ({SOURCES})([...root.querySelectorAll('{DRAWN}')])"
    found = draw(chat, [text for text, _ in FORMULAS], look)
    assert found == [formulas for _, formulas in FORMULAS]
    broken = "(root) => [...root.querySelectorAll('code.math')].map((node) => node.textContent)"
    assert draw(chat, [FORMULAS[-1][0]], broken) == [
        [r"$\frac{1$", r"$<img src=x onerror=alert(1)>\frac$", r"$\unknown$"]
    ]


def test_formulas_of_messages_are_drawn_and_everything_is_copied_as_tex(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    chat.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    asked = "Is $x^2$ more than `$y$`,\nfor $5 or **this**?\n$$\\int_0^1 x\\,dx$$\n\nThanks"
    answered = "Take $x_1$ here.\n\n$$y$$\n\nAnd *there*."
    model_server.script(Scripted(text=answered))
    chat.ask(asked)
    drawn = chat.questions.locator(DRAWN)
    expect(drawn).to_have_count(2)
    assert drawn.evaluate_all(SOURCES) == [["x^2", False], [r"\int_0^1 x\,dx", True]]
    expect(chat.questions).to_contain_text("more than `$y$`,")
    expect(chat.questions).to_contain_text("for $5 or **this**?")
    expect(chat.reply_text.locator(DRAWN)).to_have_count(2)
    chat.replies.last.get_by_role("button", name="Copy message").click()
    expect(chat.page.get_by_text("Copied")).to_be_attached()
    read = "navigator.clipboard.readText()"
    assert chat.page.evaluate(read) == answered
    chat.reply_text.evaluate("node => getSelection().selectAllChildren(node)")
    chat.page.keyboard.press("Control+c")
    copied = [line for line in chat.page.evaluate(read).splitlines() if line]
    assert copied == ["Take $x_1$ here.", "$$y$$", "And there."]
    assert chat.reply_text.count() == 1


def test_a_formula_is_text_until_it_is_closed_and_is_then_drawn_at_once(chat: ChatPage) -> None:
    assert draw(chat, ["$x$"], f"(root) => root.querySelectorAll('{DRAWN}').length") == [1]
    seen = chat.page.evaluate(
        """async (pieces) => {
          const { ReplyText } = await import('/static/js/chat/reply_text.js');
          const root = document.createElement('div');
          const text = new ReplyText(root);
          const later = window.setTimeout;
          window.setTimeout = (draw) => void draw();
          const count = (parts) => root.querySelectorAll(parts).length;
          const seen = pieces.map((piece) => {
            text.append(piece);
            return [count('span.math'), count('code')];
          });
          window.setTimeout = later;
          return seen;
        }""",
        ["So $x", "^2", "$", " and", "\n\n$$\n\\frac", "{1}{2}\n", "$$\n", "Done"],
    )
    assert seen == [[0, 0], [0, 0], [1, 0], [1, 0], [1, 0], [1, 0], [2, 0], [2, 0]]


HOSTILE = [
    r"$\href{javascript:window.harmed=true}{click}$ $\url{javascript:window.harmed=true}$",
    r"$\htmlStyle{position:fixed;inset:0}{x}$ $\htmlClass{composer}{x}$ $\htmlId{message}{x}$",
    r"$\htmlData{markdown=1}{x}$ $\includegraphics[width=9em]{https://example.org/x.png}$",
    r"$\rule{9999em}{9999em}$ $\kern9999em x$ $\raisebox{-9999em}{x}$ $\Huge\Huge x$",
    r"$\kern-9999em\rule{9999em}{9em}$ $\mathllap{\rule{500em}{500em}}$ $\smash{\rule{5em}{50em}}$",
    r"$\color{red;background:url(//example.org)}x$ $\colorbox{url(//example.org)}{x}$",
    r"$\fcolorbox{red}{yellow}{x}$ $\pmb{x}$ $\text{<img src=x onerror=window.harmed=true>}$",
]
OF_OTHERS = "a, img, iframe, script, style, form, [onerror], [id], [data-markdown]"
COVERED = """nodes => nodes.filter((node) => {
  const { left, top, height } = node.getBoundingClientRect();
  return !node.contains(document.elementFromPoint(left + 5, top + height / 2));
}).map((node) => node.textContent)"""


def test_hostile_tex_is_inert_and_stays_in_its_place(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    asked: list[str] = []
    chat.page.on("request", lambda request: asked.append(request.url))
    for number, text in enumerate(HOSTILE):
        model_server.script(Scripted(text=f"Before.\n\n{text}\n\nAfter.\n\n$z_{number}$"))
        chat.ask(text)
        last = chat.reply_text.locator(f"{DRAWN} annotation", has_text=f"z_{number}")
        expect(last).to_have_count(1)
        words = chat.reply_text.last.locator(".block > p", has_text="Before.")
        words.evaluate("node => node.scrollIntoView({ block: 'center' })")
        assert words.evaluate_all(COVERED) == []
        assert chat.page.locator("#title").evaluate_all(COVERED) == []
    expect(chat.page.locator(".message-body").locator(OF_OTHERS)).to_have_count(0)
    assert chat.page.evaluate("window.harmed") is None
    assert chat.page.evaluate(OVERFLOW) == 0
    assert chat.page.locator("#scroller").evaluate(TOO_WIDE) == 0
    assert not any("example.org" in url for url in asked)


ENDLESS = [
    r"$\def\a{\a\a}\a$",
    r"$\def\b#1{\b{#1#1}}\b{x}$" * 50,
    "$" + r"\frac{1}{" * 200 + "x" + "}" * 200 + "$",
    "$$" + "{" * 900 + "}" * 900 + "$$",
    r"$\left(" + r"\left(" * 150 + r"\right)" * 150 + r"\right)$",
    "$$" + r"\begin{matrix}" * 70 + r"\end{matrix}" * 70 + "$$",
]


def test_formulas_without_end_are_not_drawn_and_a_message_has_only_so_many(chat: ChatPage) -> None:
    assert draw(chat, ENDLESS, f"(root) => root.querySelectorAll('{DRAWN}').length") == [0] * 6
    many = "\n\n".join(f"$a_{{{number}}}$" for number in range(1500))
    count = f"(root) => ['{DRAWN}', '.math'].map((part) => root.querySelectorAll(part).length)"
    [[drawn, marked]] = draw(chat, [many], count)
    assert 700 < drawn < 1100
    assert marked == 1500


MARKS = ["$" * 50_000, "$a " * 30_000, "\\(" * 40_000, "`" * 30_001 + "$a$", "`$a$``b" * 9000]


def test_a_message_of_opening_signs_is_read_in_no_time(chat: ChatPage) -> None:
    script = """async (texts) => {
      const { splitFormulas } = await import('/static/js/text/formula_marks.js');
      return texts.map((text) => {
        const begun = performance.now();
        const whole = splitFormulas(text).map((part) => part.text).join('');
        return [whole === text, performance.now() - begun];
      });
    }"""
    for is_whole, took_ms in chat.page.evaluate(script, MARKS):
        assert is_whole
        assert took_ms < 10_000


def test_katex_is_loaded_with_the_first_formula_and_the_printed_page_has_it_too(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    asked: list[str] = []
    chat.page.on("request", lambda request: asked.append(request.url))
    chat.page.reload()
    model_server.script(Scripted(text="It costs `$5$`."))
    chat.ask("How much?")
    assert not any("katex" in url for url in asked)
    expect(answer(chat, model_server, "So $x$:\n\n$$y$$")).to_have_count(2)
    assert any(url.endswith("katex.css") for url in asked)
    printed = "document.body.dataset.formulas = document.querySelectorAll('.katex').length"
    chat.run_first(f"window.print = () => {{ {printed}; }}")
    chat.open(f"/c/{chat.conversation_id}/print")
    expect(chat.page.locator("body")).to_have_attribute("data-formulas", "2")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_formulas_fit_a_phone_and_axe_finds_nothing(
    open_page: OpenPage, scripted_site: Site, model_server: FakeOpenAI, scheme: Scheme
) -> None:
    long = " + ".join(f"x_{{{number}}}" for number in range(60))
    chat = open_page(scripted_site.url, width=360, scheme=scheme)
    text = f"So ${long}$ and $\\overbrace{{{long}}}$:\n\n$${long}$$\n\n- $\\frac{{1}}{{{long}}}$"
    expect(answer(chat, model_server, text)).to_have_count(4)
    assert chat.page.evaluate(OVERFLOW) == 0
    assert chat.page.locator("#scroller").evaluate(TOO_WIDE) == 0
    expect(chat.reply_text.locator(".block[tabindex], .is-displayed[tabindex]")).to_have_count(3)
    chat.page.evaluate(AXE.read_text())
    assert find_serious(chat) == []
