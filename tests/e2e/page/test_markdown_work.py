"""Drawing a text takes work in proportion to its length, whatever stands in it."""

from __future__ import annotations

import pytest

from tests.e2e.page.chat_page import ChatPage

# Work that grows with the square of the length takes 256 times as long for 16 times the text.
SHORT, TIMES, MOST_TIMES = 12_500, 16, 90
NEGLIGIBLE_MS = 250  # of the longer text

# What the longer text costs, and how many times the shorter one's cost that is.
MEASURE = """async ([pieces, short, times, negligible]) => {
  const { splitBlocks, renderBlock } = await import('/static/js/text/markdown.js');
  const repeat = (begin, piece, length) => begin + piece.repeat(length / piece.length);
  const cost = (text) => {
    const begun = performance.now();
    splitBlocks(text).forEach(renderBlock);
    return performance.now() - begun;
  };
  return pieces.map(([begin, piece]) => {
    const long = cost(repeat(begin, piece, short * times));
    if (long < negligible) return 0;
    const once = [1, 2, 3].map(() => cost(repeat(begin, piece, short)));
    return long / Math.min(...once);
  });
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


@pytest.mark.parametrize("what", PIECES)
def test_a_long_text_is_drawn_in_proportion_to_its_length(chat: ChatPage, what: str) -> None:
    [times] = chat.page.evaluate(MEASURE, [[PIECES[what]], SHORT, TIMES, NEGLIGIBLE_MS])
    assert times < MOST_TIMES


LIST = "\n".join(
    f"{number}. item {number}\n\n      ```\n      code {number}\n      ```" for number in range(900)
)


def test_a_list_beyond_the_bound_keeps_its_items_and_numbers(chat: ChatPage) -> None:
    drawn = chat.page.evaluate(
        """async (text) => {
          const { splitBlocks, renderBlock } = await import('/static/js/text/markdown.js');
          const lists = splitBlocks(text).map((block) => renderBlock(block).firstElementChild);
          return lists.map((list) => [
            list.tagName, list.start, list.children.length, list.querySelectorAll('pre').length,
          ]);
        }""",
        LIST,
    )
    assert len(drawn) > 1
    assert {name for name, *_ in drawn} == {"OL"}
    assert sum(items for _, _, items, _ in drawn) == sum(code for *_, code in drawn) == 900
    first = 0
    for _, start, items, _ in drawn:
        assert start == first
        first += items
