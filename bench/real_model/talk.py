"""A talk with a small model and its memory: `python -m bench.real_model talk`.

One person sends twenty messages, each four seconds (BENCH_PAUSE_S) after the reply to the last one.
When memory has caught up, twelve questions follow in new conversations. Everyday requests are sent
to the same site, and to one without memory. Prints what was answered, learned, suggested, missing
and false, how long the first words took, and how long of it the replies waited at the server for
memory's calls (`waits.py`). BENCH_SITES chooses the sites (`on`, `off`).
"""

from __future__ import annotations

import json
import os
import re
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from bench.harness.site import USER_HEADER, BenchSite, running_site
from bench.real_model.contention import list_events
from bench.real_model.model import real_model_settings
from bench.real_model.waits import WaitRelay, running_relay

DATA = json.loads(Path(__file__).with_name("talk.json").read_text(encoding="utf-8"))
PAUSE_S = float(os.environ.get("BENCH_PAUSE_S", "4"))
CATCH_UP_S = 240.0
LONG_WAIT_S = 2.0
SITES = {"on": {}, "off": {"ENABLE_MEMORY": "false"}}
REPLY_TOKENS = {"LLM_MAX_TOKENS": "32"}


@dataclass(frozen=True, kw_only=True)
class Reply:
    text: str
    first_word_s: float
    #: Of a reply that failed.
    error: str
    conversation_id: str


def main() -> None:
    settings = real_model_settings()
    if settings is None:
        return
    for name in os.environ.get("BENCH_SITES", "on,off").split(","):
        print(f"memory {name}, pauses of {PAUSE_S:g} s")
        headers = {USER_HEADER: "ines"}
        with (
            running_relay(settings.llm_api_base) as relay,
            running_site(SITES[name] | REPLY_TOKENS | {"LLM_API_BASE": relay.api_base}) as site,
            httpx.Client(base_url=site.url, headers=headers, timeout=700) as client,
        ):
            site.warm_up()
            show_times("the talk", talk(client))
            if name == "on":
                show_learned(site, client)
                show_answers(client, "questions")
            show_answers(client, "everyday")
            show_waits(relay)


def talk(client: httpx.Client) -> list[Reply]:
    replies: list[Reply] = []
    place: dict[str, str] = {}
    for message, _ in DATA["rounds"]:
        replies.append(say(client, message, place))
        place = {"conversation_id": replies[-1].conversation_id}
        time.sleep(PAUSE_S)
    return replies


def say(client: httpx.Client, text: str, place: dict[str, str]) -> Reply:
    began, pieces, error = time.monotonic(), list[str](), ""
    first_word_s = 0.0
    body = {"message": text, "stream": True} | place
    with client.stream("POST", "/chat", json=body) as answer:
        for name, data in list_events(answer.iter_lines()):
            if name == "delta":
                first_word_s = first_word_s or time.monotonic() - began
                pieces.append(str(data.get("text", "")))
            elif name == "error":
                error = str(data)
        conversation_id = answer.headers["X-Conversation-Id"]
    reply_text = "".join(pieces)
    print(f"  {first_word_s:5.1f} s  {text}  ->  {' '.join(reply_text.split())[:90]}{error}")
    return Reply(
        text=reply_text, first_word_s=first_word_s, error=error, conversation_id=conversation_id
    )


def show_times(name: str, replies: Sequence[Reply]) -> None:
    times = [reply.first_word_s for reply in replies if not reply.error]
    failed = sum(bool(reply.error) for reply in replies)
    clocks = sum(re.search(DATA["clock"], reply.text) is not None for reply in replies)
    print(f"{name}: first word p50 {statistics.median(times):.1f} s, longest {max(times):.1f} s; "
          f"failed {failed}; that speak of the clock {clocks} of {len(replies)}")  # fmt: skip


def show_waits(relay: WaitRelay) -> None:
    waits = [wait.seconds for wait in relay.waits]
    tokens = [wait.tokens_read for wait in relay.waits]
    print(f"waited at the server for other calls: p50 {statistics.median(waits):.1f} s, longest "
          f"{max(waits):.1f} s, over {LONG_WAIT_S:g} s {sum(wait > LONG_WAIT_S for wait in waits)} "
          f"of {len(waits)}:", *(f"{wait:.1f}" for wait in waits))  # fmt: skip
    print(f"tokens of prompts read anew: p50 {statistics.median(tokens):.0f}")


def show_learned(site: BenchSite, client: httpx.Client) -> None:
    cut = site.log.count("reason=revoked")
    began = time.monotonic()
    site.wait_for_jobs(CATCH_UP_S)
    facts = list_lines(client, "/api/v1/facts", "facts")
    suggestions = list_lines(client, "/api/v1/facts/suggestions", "suggestions")
    stated = [pattern for _, patterns in DATA["rounds"] for pattern in patterns]
    missing = [each for each in stated if not any(re.search(each, fact) for fact in facts)]
    false = [fact for fact in facts if re.search(DATA["false"], fact)]
    print(f"memory: calls cut off {cut}; caught up {time.monotonic() - began:.0f} s after the talk")
    lists = {"learned": facts, "suggested": suggestions, "missing": missing, "false": false}
    for name, lines in lists.items():
        print(f"  {name} {len(lines)}: {'; '.join(lines)}")


def list_lines(client: httpx.Client, path: str, field: str) -> list[str]:
    facts: list[dict[str, str]] = client.get(path).json()[field]
    return [f"{fact['key']}: {fact['value']}" for fact in facts]


def show_answers(client: httpx.Client, kind: str) -> None:
    replies = [say(client, message, {}) for message, _ in DATA[kind]]
    patterns = [pattern for _, pattern in DATA[kind]]
    right = sum(
        re.search(pattern, reply.text) is not None
        for pattern, reply in zip(patterns, replies, strict=True)
    )
    show_times(f"{kind}: {right} of {len(replies)} right", replies)
