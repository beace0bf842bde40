"""Typing while a long reply is written; `python -m bench.page` prints it.

The reply ends in a code block, the worst case, because a growing block is drawn anew each time. A
key is measured from the press until its effect is painted, as the browser reports it (in steps of
8 ms), a frame until the next frame. All times are milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from playwright.sync_api import Browser, Page

from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted

PROSE = "\n\n".join(f"Point {n}. " + "It has **some** words more. " * 12 for n in range(20))
CODE = "\n".join(f'    total_{n} = add(total_{n - 1}, "line {n}")  # and so on' for n in range(500))
REPLY = f"{PROSE}\n\n```python\n{CODE}\n```\n"
SEEN_FIRST = "total_250 "  # by then the reply is long
PIECE_S = 0.01  # 100 tokens a second
WRITTEN_MS = 120_000
KEYS = "Meanwhile somebody types the next message already, and goes on for a while. "
KEY_PAUSE_MS = 60

WATCH = """
    window.keys = [];
    window.frames = [];
    new PerformanceObserver((list) => list.getEntries()
      .filter((entry) => entry.name === 'keydown')
      .forEach((entry) => window.keys.push(entry.duration)))
      .observe({ type: 'event', durationThreshold: 16 });
    let last = performance.now();
    const note = (now) => {
      window.frames.push(now - last);
      last = now;
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
"""


@dataclass(frozen=True, kw_only=True)
class Typed:
    """Milliseconds. Browsers do not report keys that took less than 16."""

    keys: list[float]
    longest_frame: float

    def __str__(self) -> str:
        keys = self.keys or [0]
        return (
            f"key to paint median {median(keys):.0f} ms, slowest {max(keys):.0f} ms; "
            f"longest frame {self.longest_frame:.0f} ms"
        )


def measure_typing(browser: Browser, site: Site, model: FakeOpenAI) -> None:
    # In the browser's own window: of an emulated one only what fits in there is ever painted.
    with browser.new_context(no_viewport=True) as context:
        page = context.new_page()
        page.goto(site.url, wait_until="networkidle")
        page.evaluate(WATCH)
        print(f"typing, nothing else: {type_on(page)}")
        model.script(Scripted(text=REPLY, piece_delay_s=PIECE_S))
        page.keyboard.press("Enter")
        page.locator("pre", has_text=SEEN_FIRST).wait_for(timeout=WRITTEN_MS)
        typed = type_on(page)
        print(f"typing while a long reply is written, in its code block: {typed}")
        if not page.locator('[data-status="streaming"]').count():
            print("(the reply had ended before)")


def type_on(page: Page) -> Typed:
    page.evaluate("window.keys.length = window.frames.length = 0")
    page.get_by_label("Your message", exact=True).press_sequentially(KEYS, delay=KEY_PAUSE_MS)
    page.wait_for_timeout(500)
    keys, longest = page.evaluate("[window.keys, Math.max(...window.frames)]")
    return Typed(keys=keys, longest_frame=longest)
