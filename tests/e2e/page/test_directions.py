"""Text from right to left stands as its readers expect, and wide tables can be read on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.page.axe import find_in_schemes
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage
from tests.e2e.page.test_widths import OVERFLOW
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted

ARABIC = """# خطة الرحلة

`Lisbon` هي المدينة، و $x^2$ معادلة.

- أولا: احجز التذاكر (Ticket A)
- English item
  - قائمة داخلية

> اقتباس من كتاب قديم

| المدينة | السعر | Note |
|---|--:|---|
| لشبونة | 120 | cheap |

```python
print("مرحبا")
```

An English paragraph, with עברית inside.

1. one
2. two
"""
DIRECTION = "node => getComputedStyle(node).direction"
# Whether the text that an element begins with is nearer to its right edge than to its left one.
AT_RIGHT = """node => {
  const range = document.createRange();
  range.selectNodeContents(node.firstChild);
  const text = range.getBoundingClientRect();
  const box = node.getBoundingClientRect();
  return box.right - text.right < text.left - box.left;
}"""
# Left and right edge of each line of a message.
LINES = """node => {
  const [text] = node.childNodes;
  let start = 0;
  return text.data.split('\\n').map((line) => {
    const range = document.createRange();
    range.setStart(text, start);
    range.setEnd(text, start + line.length);
    start += line.length + 1;
    const { left, right } = range.getBoundingClientRect();
    return [left, right];
  });
}"""
HEAD_BELOW_TOP = """node => {
  const head = node.querySelector('th').getBoundingClientRect();
  return head.top - node.getBoundingClientRect().top;
}"""
ROW = "| {0} | Rua das Flores {0}, Porto | https://example.org/{1}/{0} | quiet, with a view |\n"
TABLE = "| Name | Where | Address | Remarks |\n|---|---|---|---|\n" + "".join(
    ROW.format(number, "long" * 40) for number in range(60)
)


def directions(places: Locator) -> list[str]:
    return [place.evaluate(DIRECTION) for place in places.all()]


def test_a_block_has_the_direction_of_its_own_text(
    open_page: OpenPage, scripted_site: Site, model_server: FakeOpenAI
) -> None:
    chat = open_page(scripted_site.url)
    model_server.script(Scripted(text=ARABIC))
    chat.ask("خطة")
    for width in (1280, 360):
        chat.page.set_viewport_size({"width": width, "height": 800})
        expect_own_directions(chat.reply_text)
        assert chat.page.evaluate(OVERFLOW) == 0


def expect_own_directions(body: Locator) -> None:
    expect(body.locator("span.math")).to_have_count(1)
    blocks = body.locator(".block > :is(h3, p, ul, blockquote, ol)")
    assert directions(blocks) == ["rtl", "rtl", "rtl", "rtl", "ltr", "ltr"]
    assert directions(body.locator("table, pre, code, .math")) == [
        "ltr", "ltr", "rtl", "ltr", "ltr",
    ]  # fmt: skip
    for place in body.locator("ul > li, blockquote > p, td").all():
        assert place.evaluate(AT_RIGHT), place.inner_text()
    assert not body.get_by_text("An English paragraph").evaluate(AT_RIGHT)
    padding = "node => ['paddingRight', 'paddingLeft'].map((side) => getComputedStyle(node)[side])"
    assert body.locator("ul").first.evaluate(padding)[1] == "0px"  # the bullets are at the right
    assert body.locator("ol").first.evaluate(padding)[0] == "0px"
    border = "node => getComputedStyle(node).borderRightWidth"
    assert body.locator("blockquote").evaluate(border) == "2px"
    first, *_, last = body.locator("th").all()
    boxes = [place.bounding_box() for place in (first, last)]
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["x"] > boxes[1]["x"]  # the first column is at the right


def test_each_line_of_a_message_has_its_own_direction(chat: ChatPage) -> None:
    chat.ask("مرحبا، كيف الحال؟ هذا سطر طويل\nEnglish\nשלום")
    (left, right), english, hebrew = chat.questions.evaluate(LINES)
    assert english[0] == pytest.approx(left, abs=2)
    assert english[1] < right - 20
    assert hebrew[0] > left + 20
    assert hebrew[1] == pytest.approx(right, abs=2)


def test_a_wide_table_is_read_in_its_frame_under_its_first_row(
    open_page: OpenPage, scripted_site: Site, model_server: FakeOpenAI
) -> None:
    chat = open_page(scripted_site.url, width=360, height=740)
    urls: list[str] = []
    chat.page.on("request", lambda request: urls.append(request.url))
    model_server.script(Scripted(text=f"{TABLE}\n\n![A river](https://example.org/river.png)"))
    chat.ask("Where?")
    frame = chat.reply_text.get_by_role("region", name="Table")
    frame.focus()
    expect(frame).to_be_focused()
    assert frame.evaluate("node => node.scrollWidth > node.clientWidth + 100")
    frame.evaluate("node => node.scrollTo(60, 900)")
    assert frame.evaluate(HEAD_BELOW_TOP) == pytest.approx(0, abs=2)
    widest = frame.get_by_role("cell").evaluate_all(
        "nodes => Math.max(...nodes.map((node) => node.getBoundingClientRect().width))"
    )
    assert widest < 260
    assert chat.page.evaluate(OVERFLOW) == 0
    assert find_in_schemes(chat) == []
    assert not any("example.org" in url for url in urls)
