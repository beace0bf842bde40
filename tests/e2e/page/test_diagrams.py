"""Mermaid's diagrams are drawn apart from the page and shown as images; their source stays."""

from __future__ import annotations

import json

from playwright.sync_api import Locator, Route, expect

from tests.e2e.page.axe import RULES_OF_LOOKS, find_serious
from tests.e2e.page.chat_page import ChatPage
from tests.e2e.page.conftest import OpenPage, Scheme
from tests.e2e.page.test_widths import OVERFLOW
from tests.e2e.site import Site
from tests.fakes.openai_server import FakeOpenAI, Scripted
from web.views.diagrams import POLICY

FLOW = "flowchart LR\n  A[Ask] --> B{Known?}\n  B -->|yes| C[Answer]"
IN_A_LIST = "- So:\n\n  ```mermaid\n  flowchart LR\n    X --> Y\n  ```\n"
BROKEN = "flowchart LR\n  A -->"
SEQUENCE = "sequenceDiagram\n  Client->>Web: question\n  Web-->>Client: tokens"
#: Of the first box in each palette (`web/static/diagrams/frame.js`).
FILL = {"light": [227, 239, 233], "dark": [26, 47, 42]}
HAS_COLOUR = """async (image, wanted) => {
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, width, height);
  for (let at = 0; at < data.length; at += 4) {
    if (wanted.every((value, index) => data[at + index] === value)) return true;
  }
  return false;
}"""


def fence(source: str) -> str:
    return f"```mermaid\n{source}\n```"


def answer(chat: ChatPage, model_server: FakeOpenAI, text: str) -> Locator:
    """The images of the newest reply."""
    model_server.script(Scripted(text=text))
    chat.ask("Draw it.")
    return chat.reply_text.last.locator(".diagram img")


def expect_colours(images: Locator, scheme: Scheme) -> None:
    for index in range(images.count()):
        assert images.nth(index).evaluate(HAS_COLOUR, FILL[scheme])


def expect_source_at_hand(chat: ChatPage, images: Locator) -> None:
    box = chat.reply_text.last.locator(".code-frame").first
    code = box.locator("pre")
    expect(code).to_be_hidden()
    source = box.get_by_role("button", name="Source")
    source.press("Enter")
    expect(source).to_have_attribute("aria-pressed", "true")
    expect(code).to_be_visible()
    expect(images).to_be_hidden()
    box.get_by_role("button", name="Diagram").click()
    expect(images).to_be_visible()
    assert chat.copy_by(box.get_by_role("button", name="Copy code")) == f"{FLOW}\n"


def test_a_finished_diagram_is_drawn_and_its_source_stays_at_hand(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    page = chat.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.reload()
    images = answer(chat, model_server, f"So:\n\n```py\n{FLOW}\n```\n\n```mermaid\n{FLOW}")
    expect(chat.reply_text.last.locator("pre")).to_have_count(2)
    assert [url for url in urls if "diagrams/" in url or "mermaid" in url] == []

    images = answer(chat, model_server, f"{fence(FLOW)}\n\n{IN_A_LIST}")
    expect(images).to_have_count(2)
    expect(images.first).to_have_attribute("alt", "Diagram: yes, Ask, Known?, Answer")
    expect_colours(images, "light")
    expect_source_at_hand(chat, images.first)

    two = answer(chat, model_server, f"{fence(SEQUENCE)}\n\n{fence(BROKEN)}\n\nSo.")
    expect(two).to_have_count(1)
    wrong = chat.reply_text.last.locator(".code-frame").last
    expect(wrong.get_by_text("its source has a mistake")).to_be_visible()
    expect(wrong.locator("pre")).to_be_visible()
    expect(wrong.get_by_role("button", name="Source")).to_have_count(0)

    address = images.get_attribute("src") or ""
    assert address.startswith("blob:")
    drawn = page.locator(".diagram img")
    before = drawn.evaluate_all("images => images.map((image) => image.src)")
    page.emulate_media(color_scheme="dark")
    for index, old in enumerate(before):
        expect(drawn.nth(index)).not_to_have_attribute("src", old)
    expect_colours(drawn, "dark")
    expect(page.locator("iframe")).to_have_count(0)
    expect(chat.replies.first.locator(".code-frame")).to_have_count(2)
    expect(chat.replies.first.locator(".diagram")).to_have_count(0)

    chat.run_first("window.print = () => { document.body.dataset.printed = ''; }")
    chat.open(f"/c/{chat.conversation_id}/print")
    expect(page.locator("body[data-printed]")).to_be_attached()
    expect(page.locator("pre", has_text="Client->>Web: question")).to_be_visible()
    expect(page.locator("img, iframe")).to_have_count(0)


INIT = {
    "securityLevel": "loose", "htmlLabels": True, "maxEdges": 9999,
    "flowchart": {"htmlLabels": True},
    "themeCSS": "* { background: url(https://example.org/css) }",
    "themeVariables": {"primaryColor": "#ff0000"},
}  # fmt: skip
HOSTILE = [
    f"%%{{init: {json.dumps(INIT)}}}%%\nflowchart LR\n  A[Loose] --> B[<b onclick=harm>b</b>]",
    "---\nconfig:\n  securityLevel: loose\n  htmlLabels: true\n---\nflowchart LR\n  A[Loose] --> B",
    'flowchart LR\n  A["<script>top.harmed = 1</script><img src=x onerror=top.harmed=1>"]',
    'flowchart LR\n  A[x] --> B\n  click A href "javascript:top.harmed=1"\n  click B call harm()',
    "flowchart LR\n  A[x] --> B\n  style A fill:url(https://example.org/fill)",
    "flowchart LR\n  A --> B\n  classDef k fill:#fff}</style><script>harm()</script>\n  class A k",
]  # fmt: skip
BLOCKED = "Executing inline event handler violates"
TOO_MUCH = {
    "flowchart LR\n" + "\n".join(f"  n{i} --> m{i}" for i in range(200)): "has a mistake",
    "flowchart LR\n" + "\n".join(f"  some{i} --> other{i}" for i in range(900)): "too large",
}


def test_hostile_diagrams_are_images_in_which_nothing_runs_and_none_is_too_large(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    urls: list[str] = []
    lines: list[tuple[str, str]] = []  # in the console, with the script's address
    chat.page.on("request", lambda request: urls.append(request.url))
    chat.page.on("console", lambda message: lines.append((message.text, message.location["url"])))
    images = answer(chat, model_server, "\n\n".join(fence(source) for source in HOSTILE))
    results = chat.reply_text.last.locator(".diagram img, .diagram-problem")
    for index in range(len(HOSTILE)):
        box = chat.reply_text.last.locator(".code-frame").nth(index)
        box.scroll_into_view_if_needed()
        expect(box.locator(".diagram img, .diagram-problem")).to_have_count(1)
    expect(results).to_have_count(len(HOSTILE))
    assert images.count() >= 4
    expect_colours(images.first, "light")  # not in the colour that the diagram asked for
    assert chat.page.evaluate("window.harmed") is None
    assert not any("example.org" in url for url in urls)
    body = chat.reply_text.last
    expect(body.locator("script, style, a, iframe, svg:not(.icon), [onclick]")).to_have_count(0)
    for source, problem in TOO_MUCH.items():
        answer(chat, model_server, fence(source))
        expect(chat.reply_text.last.get_by_text(problem)).to_be_visible()
    # What the browser says of the address in a style, and of handlers that it has blocked while the
    # sanitizer in the frame, which alone loads mermaid, read them.
    assert {url.rpartition("/")[2] for text, url in lines if BLOCKED in text} <= {"mermaid.js"}
    for part in ("https://example.org/", BLOCKED):
        chat.permit_problem(part)


# A frame that somebody has taken over: it tries what it can, and answers what it is asked to.
TAKEN = """<script>
const tries = {
  page: () => parent.document.title,
  cookie: () => document.cookie,
  storage: () => localStorage.length,
  api: () => fetch('/api/v1/facts'),
  far: () => fetch('https://example.org/far'),
  top: () => { top.location = 'https://example.org/top'; },
};
addEventListener('message', async ({ data, ports }) => {
  if (data.text === 'stay silent') return;
  if (data.text === 'leave') {
    location = 'https://example.org/away';
    setTimeout(() => ports[0].postMessage({ problem: 'unreachable' }), 1000);
    return;
  }
  const managed = [];
  for (const [name, attempt] of Object.entries(tries)) {
    try { await attempt(); managed.push(name); } catch { /* as it should be */ }
  }
  parent.postMessage({ svg: '<svg/>', width: 1, height: 1, words: 'by another way' }, '*');
  ports[0].postMessage({ svg: '<svg/>', width: 1, height: 1, words: managed.join() });
});
</script>"""
DRAW = """async (texts) => {
  const { draw } = await import('/modules/js/chat/replies/diagrams/drawing.js');
  const later = window.setTimeout;
  const drawn = [];
  for (const [index, text] of texts.entries()) {
    if (index > 0) window.setTimeout = (call, ms) => later(call, ms / 4); // these never answer
    drawn.push(await draw(text, 'light'));
  }
  window.setTimeout = later;
  return [drawn, document.querySelectorAll('iframe').length];
}"""


# What is made of answers that are none is shown by
# `tests/node/chat/replies/diagrams/drawing.test.js`.
def test_a_frame_that_was_taken_over_reaches_nothing_and_is_removed_in_time(chat: ChatPage) -> None:
    policy = POLICY.replace("script-src 'self'", "script-src 'unsafe-inline'")
    headers = {"Content-Type": "text/html", "Content-Security-Policy": policy}

    def serve(route: Route) -> None:
        route.fulfill(body=TAKEN, headers=headers)

    reached: list[str] = []

    def note(route: Route) -> None:
        reached.append(route.request.url)
        route.abort()

    chat.page.route("https://example.org/**", note)
    chat.page.route("**/diagrams/frame", serve)
    texts = ["try", "leave", "stay silent"]
    [tried, left, silent], frames = chat.evaluate_modules(DRAW, texts)
    assert tried == {"svg": "<svg/>", "width": 1, "height": 1, "words": ""}
    assert left["problem"] in {"unreachable", "slow"}  # it had its time, and got nowhere
    assert silent == {"problem": "slow"}
    assert frames == 0
    assert reached == []
    assert chat.page.url.startswith(chat.url)
    chat.permit_problem("")  # the browser says something of each try


def test_a_wide_diagram_scrolls_on_a_phone_and_axe_finds_nothing(
    open_page: OpenPage, scripted_site: Site, model_server: FakeOpenAI
) -> None:
    chat = open_page(scripted_site.url, width=360, scheme="dark")
    wide = "flowchart LR\n" + "\n".join(f"  n{i}[Step {i}] --> n{i + 1}" for i in range(12))
    images = answer(chat, model_server, f"So:\n\n{fence(wide)}")
    expect(images).to_have_count(1)
    expect_colours(images, "dark")
    place = chat.reply_text.last.get_by_role("region", name="Diagram")
    assert place.evaluate("node => node.scrollWidth - node.clientWidth") > 300
    assert chat.page.evaluate(OVERFLOW) == 0
    assert find_serious(chat) == []
    old = images.get_attribute("src") or ""
    chat.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    expect(images).not_to_have_attribute("src", old)
    expect_colours(images, "light")
    assert find_serious(chat, rules=RULES_OF_LOOKS) == []


def test_what_could_not_be_loaded_is_no_mistake_and_is_tried_again(
    chat: ChatPage, model_server: FakeOpenAI
) -> None:
    chat.route("**/vendor/mermaid.js", lambda route: route.abort())
    images = answer(chat, model_server, fence(FLOW))
    problem = chat.reply_text.last.locator(".diagram-problem")
    expect(problem).to_contain_text("could not be loaded")
    expect(problem).to_have_attribute("dir", "auto")
    chat.expect_problem("ERR_FAILED")
    chat.page.unroute("**/vendor/mermaid.js")
    problem.get_by_role("button", name="Try again").press("Enter")
    expect(images).to_have_count(1)
    expect(problem).to_have_count(0)
    expect(chat.reply_text.last.get_by_role("region", name="Diagram")).to_be_focused()
