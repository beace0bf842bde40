"""Drawing a block takes work in proportion to its length, whatever stands in it.

That texts are taken apart into blocks in such time is shown by
`tests/node/text/markdown_lexer.test.js`.
"""

from __future__ import annotations

from tests.e2e.page.chat_page import ChatPage

# Work that grows with the square of the length takes 256 times as long for 16 times the text.
SHORT, TIMES, MOST_TIMES = 12_500, 16, 90
NEGLIGIBLE_MS = 250  # of the longer text

# Each block is drawn by itself, and no block of these texts is longer than the first.
READ = """async ([begin, piece, length]) => {
  const { splitBlocks, renderBlock } = await import('/modules/js/text/markdown.js');
  const [block] = splitBlocks(begin + piece.repeat(length / piece.length));
  window.drawBlock = () => renderBlock(block);
}"""
DRAW = "(count) => { for (let times = 0; times < count; times += 1) window.drawBlock(); }"
PIECES = {
    "dollars": ("", "$"),
    "pairs of dollars": ("", "$$"),
    "formulas without an end": ("", "\\[\n"),
    "formulas without an end, in a list": ("- ", "\\[\n"),
    "lines": ("", "a\n"),
    "lines in one item": ("- ", "a\n"),
    "lines in one quote": ("> ", "a\n"),
    "items": ("", "- a\n"),
    "items apart": ("", "- a\n\n"),
    "quotes": ("", "> a\n"),
    "rows": ("| a |\n|---|\n", "| a |\n"),
    "tags": ("", "<b>\n"),
    "code by spaces": ("- ", "    a\n"),
}


class Clock:
    """Of the page's own thread, which stands still while other processes have the processor."""

    def __init__(self, chat: ChatPage) -> None:
        self._chat = chat
        self._session = chat.page.context.new_cdp_session(chat.page)
        self._session.send("Performance.enable")

    def _now_ms(self) -> float:
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return 1000 * next(
            float(metric["value"]) for metric in metrics if metric["name"] == "ThreadTime"
        )

    def cost_ms(self, what: str, length: int, count: int = 1) -> float:
        """Of drawing the longest block of a text of this length once."""
        self._chat.evaluate_modules(READ, [*PIECES[what], length])
        begun = self._now_ms()
        self._chat.page.evaluate(DRAW, count)
        return (self._now_ms() - begun) / count


def test_long_blocks_are_drawn_in_proportion_to_their_length(chat: ChatPage) -> None:
    clock = Clock(chat)
    for what in PIECES:
        long_ms = clock.cost_ms(what, SHORT * TIMES)
        if long_ms > NEGLIGIBLE_MS:
            assert long_ms / clock.cost_ms(what, SHORT, count=3) < MOST_TIMES, what
