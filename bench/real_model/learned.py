"""What a model learns from a long conversation: `python -m bench.real_model learned`.

Sends the messages of LoCoMo 26 to a whole site, one after the other. The stand-in replies, the real
model makes the memory. Prints every fact beside its message. A fact counts as ungrounded if none of
its words are in that message.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path

from bench.harness.client import Answer, Client, Json
from bench.harness.site import USER_HEADER, running_site, wait_until
from bench.real_model.model import locomo_folder, real_model_settings
from bench.recall.data import read_chats
from shared.settings import STAND_IN_MODEL

CHAT = "26.json"
RATE = 2.0  # rounds a second: memory falls behind and reads many messages at once
PATIENCE_S = 5400.0
WORD = re.compile(r"\w{3,}")


def main() -> None:
    folder, settings = locomo_folder(), real_model_settings()
    if folder is None or settings is None:
        return
    environment = {"LLM_MODEL": STAND_IN_MODEL, "MEMORY_MODEL": settings.llm_model}
    with (
        running_site(environment) as site,
        closing(Client(site.url, headers={USER_HEADER: "ada"})) as client,
    ):
        for line in _learn(client, list_texts(folder / CHAT)):
            print(line, flush=True)


def list_texts(path: Path) -> list[str]:
    """What the first speaker says. Messages that follow one another are joined."""
    [chat] = read_chats(path)
    messages = [message for session in chat.sessions for message in session["messages"]]
    user = messages[0]["name"]
    return [
        "\n".join(message["content"] for message in group)
        for name, group in groupby(messages, lambda message: message["name"])
        if name == user
    ]


def send_all(client: Client, texts: Sequence[str], rate: float) -> Iterator[Answer]:
    """One after the other, so many a second."""
    conversation_id = None
    began = time.monotonic()
    for number, text in enumerate(texts):
        time.sleep(max(0.0, began + number / rate - time.monotonic()))
        answer = client.send(text, conversation_id)
        conversation_id = answer.conversation_id
        yield answer


def _learn(client: Client, texts: Sequence[str]) -> Iterator[str]:
    answers = list(send_all(client, texts, RATE))
    conversation_id = answers[-1].conversation_id
    if conversation_id is None:
        raise SystemExit(f"nothing was taken: {answers[0].error}")
    is_read = wait_until(lambda: _is_read(client, conversation_id), PATIENCE_S)
    yield from _report(client, conversation_id, len(texts), is_read=is_read)


def _is_read(client: Client, conversation_id: str) -> bool:
    """All messages were read for facts. Summaries and episodes may take far longer."""
    jobs = [job for job in client.list_jobs(conversation_id) if job["kind"] == "facts"]
    return bool(jobs) and all(job["state"] in ("completed", "failed") for job in jobs)


def _report(client: Client, conversation_id: str, count: int, *, is_read: bool) -> Iterator[str]:
    texts = {m["sequence_number"]: m["content"] for m in client.list_messages(conversation_id)}
    facts = client.list_facts()
    yield f"{count} messages, all read: {is_read}, {len(facts)} facts"
    ungrounded = 0
    for fact in sorted(facts, key=_place):
        source = texts.get(_place(fact), "")
        ungrounded += not _is_grounded(fact, source)
        yield f"- {fact['category']} {fact['key']} = {fact['value']}"
        yield f"    {_place(fact)}: {' '.join(source.split())[:160]}"
    yield f"facts without a word of their message: {ungrounded}"


def _place(fact: Json) -> int:
    return fact["source"]["sequence"] if fact["source"] else -1


def _is_grounded(fact: Json, source: str) -> bool:
    """By the beginnings of words: "I paint" grounds `painting`."""
    beginnings = {word[:4] for word in WORD.findall(source.lower())}
    return any(word[:4] in beginnings for word in WORD.findall(fact["value"].lower()))
