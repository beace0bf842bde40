"""The page's pure modules, in the browser that they are written for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.page.chat_page import ChatPage

Call = Callable[..., Any]


@pytest.fixture
def call(reopened_chat: ChatPage) -> Call:
    """`call("api/server_events", "parseEvent", …)` imports a module and calls its function."""

    def call_(module: str, name: str, *arguments: object) -> Any:
        script = "async ([m, f, a]) => (await import(`/static/js/${m}.js`))[f](...a)"
        return reopened_chat.page.evaluate(script, [module, name, list(arguments)])

    return call_


CELLS = "panel/coverage_cells"
MEMORY = {
    "last_sequence": 9,
    "window_start": 4,
    "summary_end": 7,
    "processing": None,
    "episodes": [{"start": 1, "end": 2}],
}


def states(cells: list[dict[str, Any]]) -> list[tuple[int, int, str]]:
    return [(cell["first"], cell["last"], cell["state"]) for cell in cells]


def test_cells_say_what_each_message_is_to_the_model(call: Call) -> None:
    cells = states(call(CELLS, "coverageCells", MEMORY, 11))
    assert cells == [
        (0, 0, "found"),
        (1, 1, "episode"),
        (2, 2, "episode"),
        (3, 3, "found"),
        *((number, number, "summarised") for number in range(4, 8)),
        *((number, number, "gap") for number in (8, 9)),
        *((number, number, "current") for number in (10, 11)),
    ]


def test_without_a_summary_all_is_gap(call: Call) -> None:
    memory = MEMORY | {"summary_end": None}
    assert {state for *_, state in states(call(CELLS, "coverageCells", memory, 9))} == {"gap"}


def test_a_gap_that_is_older_than_the_window_is_still_given(call: Call) -> None:
    memory = MEMORY | {"summary_end": 1}
    assert states(call(CELLS, "coverageCells", memory, 9))[2] == (2, 2, "gap")


def test_cells_under_way_are_marked(call: Call) -> None:
    memory = MEMORY | {"processing": {"start": 8, "end": 9}}
    cells = call(CELLS, "coverageCells", memory, 9)
    assert [cell["first"] for cell in cells if cell["isProcessing"]] == [8, 9]


def test_long_conversations_are_drawn_in_few_cells(call: Call) -> None:
    memory = {
        "last_sequence": 999,
        "window_start": 986,
        "summary_end": 999,
        "processing": None,
        "episodes": [{"start": 0, "end": 899}],
    }
    cells = states(call(CELLS, "coverageCells", memory, 999))
    assert cells[0] == (0, 879, "episode")
    assert len(cells) == 121
    counted = call(CELLS, "countStates", call(CELLS, "coverageCells", memory, 999))
    assert counted == [["episode", 900], ["found", 86], ["summarised", 14]]


@pytest.mark.parametrize(
    ("block", "event"),
    [
        ('id: 7-3\nevent: delta\ndata: {"text":"a"}', ("7-3", "delta", {"text": "a"})),
        ('data: {"a":\ndata: 1}', (None, "message", {"a": 1})),
        ('event:done\ndata:{"x":": "}', (None, "done", {"x": ": "})),
        (": ping", None),
        ("id: 7-3", None),
    ],
)
def test_events_are_read_as_the_standard_says(call: Call, block: str, event: object) -> None:
    found = call("api/server_events", "parseEvent", block)
    assert event == (found and (found.get("id"), found["name"], found["data"]))


def test_events_are_whole_however_the_bytes_are_cut(reopened_chat: ChatPage) -> None:
    script = """async (text) => {
      const { serverEvents } = await import('/static/js/api/server_events.js');
      const bytes = new TextEncoder().encode(text);
      const body = new ReadableStream({
        start(controller) {
          for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
          controller.close();
        },
      });
      const found = [];
      for await (const event of serverEvents({ body })) found.push(event.data.text);
      return found;
    }"""
    text = ': ping\n\ndata: {"text":"Grüße 🌊"}\r\n\r\ndata: {"text":"zwei"}\n\ndata: {"text":"cut'
    assert reopened_chat.page.evaluate(script, text) == ["Grüße 🌊", "zwei"]


QUOTE = {
    "conversation_id": "c1",
    "sequence": 4,
    "role": "user",
    "name": None,
    "said_at": "2024-03-12T12:00:00+00:00",
    "text": "<b>I row.</b>",
}


def test_messages_that_were_given_lead_to_where_they_were_said(reopened_chat: ChatPage) -> None:
    trace = {
        "facts": [],
        "episodes": [],
        "messages": [QUOTE, QUOTE | {"sequence": 5, "role": "assistant", "name": "Tom"}],
        "summary": None,
        "gap": {"start": 8, "end": 9},
        "corrected": {"barcelna": "barcelona", "<i>": "it"},
        "cut": {"facts": 2, "episodes": 0, "messages": 1, "points": 0, "gap": None},
        "tokens": {"given": 1200, "budget": 4000},
        "steps_ms": {"recall": 9, "facts": 2.4, "messages": 4, "model": 1500},
    }
    script = """async (trace) => {
      const { drawTrace } = await import('/static/js/chat/trace.js');
      const hrefs = (node) => [...node.querySelectorAll('a')].map((a) => a.getAttribute('href'));
      return drawTrace(trace).map((node) => [node.textContent, hrefs(node)]);
    }"""
    assert reopened_chat.page.evaluate(script, trace) == [
        [
            "Said beforeYou, March 12, 2024: <b>I row.</b>4Tom, March 12, 2024: <b>I row.</b>5",
            ["/c/c1#4", "/c/c1#5"],
        ],
        ["Tokensnot told by the providerWhole reply1.5 s", []],
        ["Typing errors: “barcelna” read as “barcelona”, “<i>” read as “it”.", []],
        ["Word for word: messages 8–9.", []],
        ["Left out for want of room: 2 facts, 1 earlier message.", []],
        ["1,200 of 4,000 tokens.", []],
        ["Time: facts 2 ms, earlier messages 4 ms.", []],
    ]


def test_what_the_reply_says_again_comes_first_with_its_chat(reopened_chat: ChatPage) -> None:
    fact = {"category": "identity", "key": "home_city", "conversation_id": "c2", "sequence": 0}
    trace = {
        "facts": [
            fact | {"value": "Oslo", "title": "Old", "used": False},
            fact | {"value": "Bergen", "title": "<b>Moving</b>", "used": True},
        ],
        "episodes": [],
        "messages": [],
        "cut": {"facts": 0, "episodes": 0, "messages": 0, "points": 0, "gap": None},
        "tokens": {"given": 1, "budget": 2},
        "steps_ms": {},
    }
    script = """async (trace) => {
      const { drawTrace } = await import('/static/js/chat/trace.js');
      return drawTrace(trace).map((node) => node.textContent);
    }"""
    drawn = reopened_chat.page.evaluate(script, trace)
    assert drawn[0] == "Found in the reply"
    assert drawn[2:5] == [
        "FactsYou live in Bergen in “<b>Moving</b>”0",
        "Also given",
        "FactsYou live in Oslo in “Old”0",
    ]
