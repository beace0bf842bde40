"""Drawing a block takes work in proportion to its length, whatever stands in it.

That texts are taken apart into blocks in such time is shown by
`tests/node/text/markdown_lexer.test.js`.
"""

from __future__ import annotations

from playwright.sync_api import Page

from tests.e2e.page.chat_page import ChatPage

# Work that grows with the square of the length takes 256 times as long for 16 times the text.
SHORT, TIMES, MOST_TIMES = 12_500, 16, 90
NEGLIGIBLE_MS = 250  # of the longer text

# Blocks are drawn one by one, so the first of many show what each of them takes.
DRAW = """async ([begin, piece, length, count]) => {
  const { splitBlocks, renderBlock } = await import('/static/js/text/markdown.js');
  const text = begin + piece.repeat(length / piece.length);
  for (let n = 0; n < count; n += 1) splitBlocks(text).slice(0, 200).forEach(renderBlock);
}"""
PIECES = {
    "dollars": ("", "$"),
    "pairs of dollars": ("", "$$"),
    "formulas without an end": ("", "\\[\n"),
    "formulas without an end, apart": ("", "\\[\n\n"),
    "formulas without an end, in a list": ("- ", "\\[\n"),
    "formulas": ("", "x\n$$a$$\n"),
    "lines": ("", "a\n"),
    "lines in one item": ("- ", "a\n"),
    "lines in one quote": ("> ", "a\n"),
    "paragraphs": ("", "a\n\n"),
    "items": ("", "- a\n"),
    "items apart": ("", "- a\n\n"),
    "quotes": ("", "> a\n"),
    "underlined headings": ("", "a\n=\n"),
    "rows": ("| a |\n|---|\n", "| a |\n"),
    "fences": ("", "```\n"),
    "links' targets": ("", "[a]: x\n"),
    "tags": ("", "<b>\n"),
    "code by spaces": ("- ", "    a\n"),
}


class Clock:
    """Of the page's own thread, which stands still while other processes have the processor."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable")

    def _now_ms(self) -> float:
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return 1000 * next(float(one["value"]) for one in metrics if one["name"] == "ThreadTime")

    def cost_ms(self, what: str, length: int, count: int = 1) -> float:
        """Of drawing a text of this length once."""
        begun = self._now_ms()
        self._page.evaluate(DRAW, [*PIECES[what], length, count])
        return (self._now_ms() - begun) / count


def test_long_texts_are_drawn_in_proportion_to_their_length(reopened_chat: ChatPage) -> None:
    clock = Clock(reopened_chat.page)
    for what in PIECES:
        long_ms = clock.cost_ms(what, SHORT * TIMES)
        if long_ms > NEGLIGIBLE_MS:
            assert long_ms / clock.cost_ms(what, SHORT, count=3) < MOST_TIMES, what
