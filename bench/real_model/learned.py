"""What a model learns from a long conversation: `python -m bench.real_model learned`.

Sends the messages of LoCoMo 26 to a whole site, one after the other. The stand-in replies, the real
model makes the memory. Prints every fact beside its message. A fact counts as ungrounded if none of
its words are in that message.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from bench.locomo import read_conversation, user_side
from bench.real_model.model import locomo_folder, real_model_settings
from bench.replay import send_all
from bench.site import Json, Site, wait_until
from bench.supervised import USER_HEADER, supervised
from shared.settings import STAND_IN_MODEL, Settings

CHAT = "26.json"
RATE = 2.0  # rounds a second: memory falls behind and reads many messages at once
PATIENCE_S = 5400.0
WORD = re.compile(r"\w{3,}")


def main() -> None:
    folder, settings = locomo_folder(), real_model_settings()
    if folder is None or settings is None:
        return
    utterances = read_conversation(folder / CHAT)
    texts = user_side(utterances, utterances[0].speaker)
    with (
        tempfile.TemporaryDirectory() as scratch,
        supervised(Path(scratch) / "data", **_environment(settings)) as server,
        closing(Site(server.url, headers={USER_HEADER: "ada"})) as site,
    ):
        for line in _learn(site, texts):
            print(line, flush=True)


def _environment(settings: Settings) -> dict[str, str]:
    return {"LLM_MODEL": STAND_IN_MODEL, "MEMORY_MODEL": settings.llm_model}


def _learn(site: Site, texts: Sequence[str]) -> Iterator[str]:
    answers = list(send_all(site, texts, RATE))
    conversation_id = answers[-1].conversation_id
    if conversation_id is None:
        raise SystemExit(f"nothing was taken: {answers[0].error}")
    is_read = wait_until(lambda: _is_read(site, conversation_id), PATIENCE_S)
    yield from _report(site, conversation_id, len(texts), is_read=is_read)


def _is_read(site: Site, conversation_id: str) -> bool:
    """All messages were read for facts. Summaries and episodes may take far longer."""
    jobs = [job for job in site.list_jobs(conversation_id) if job["kind"] == "facts"]
    return bool(jobs) and all(job["state"] in ("completed", "failed") for job in jobs)


def _report(site: Site, conversation_id: str, count: int, *, is_read: bool) -> Iterator[str]:
    texts = {m["sequence_number"]: m["content"] for m in site.list_messages(conversation_id)}
    facts = site.list_facts()
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
