"""Clients that send messages and read the streams of the replies, one after the other."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import httpx

from bench.harness.site import MODEL, USER_HEADER

REPLY_S = 60.0
ROUNDS_EACH = 20  # of a conversation, then a new one begins
WHO = ("my brother", "my sister", "our neighbour", "Anna", "Karl", "my boss", "the doctor", "I")
DID = ("bought", "lost", "repaired", "painted", "looked for", "talked about", "sold", "borrowed")
WHAT = ("a bicycle", "the garden fence", "an old camera", "two tickets", "a wooden boat", "a lamp",
        "the kitchen table", "a map of Norway", "a guitar", "a red coat")  # fmt: skip
WHERE = ("in Berlin", "near the lake", "at the market", "in the cellar", "by the station",
         "at school", "in Oslo", "behind the house", "on the island", "at work")  # fmt: skip
WHEN = ("yesterday", "last summer", "on Monday", "this morning", "two years ago", "in May")
Ask = Callable[[httpx.AsyncClient, int, str], Awaitable["Reply"]]


@dataclass(frozen=True, kw_only=True)
class Reply:
    """Milliseconds of one reply."""

    first_ms: float
    whole_ms: float


def make_message(chance: random.Random) -> str:
    """Two short sentences."""
    sentences = [
        f"{chance.choice(WHO)} {chance.choice(DID)} {chance.choice(WHAT)} {chance.choice(WHERE)} "
        f"{chance.choice(WHEN)}."
        for _ in range(2)
    ]
    return " ".join(sentence[0].upper() + sentence[1:] for sentence in sentences)


def make_question(chance: random.Random) -> str:
    return f"What did {chance.choice(WHO)} say about {chance.choice(WHAT)} {chance.choice(WHERE)}?"


def ask_all(ask: Ask, clients: int, rounds: int) -> list[Reply]:
    """Each client sends one message after the other, all together so many."""
    return asyncio.run(_ask_all(ask, clients, rounds))


async def _ask_all(ask: Ask, clients: int, rounds: int) -> list[Reply]:
    limits = httpx.Limits(max_connections=clients)
    async with httpx.AsyncClient(timeout=REPLY_S, limits=limits) as client:
        each = [
            _ask_often(ask, client, number, max(1, rounds // clients)) for number in range(clients)
        ]
        return [reply for replies in await asyncio.gather(*each) for reply in replies]


async def _ask_often(ask: Ask, client: httpx.AsyncClient, number: int, rounds: int) -> list[Reply]:
    chance = random.Random(time.time_ns() + number)
    return [await ask(client, number, make_question(chance)) for _ in range(rounds)]


def ask_model(base_url: str) -> Ask:
    """Clients of the model's own server."""

    async def ask(client: httpx.AsyncClient, _number: int, text: str) -> Reply:
        body = {"model": MODEL, "messages": [{"role": "user", "content": text}], "stream": True}
        reply, _ = await _read_stream(client, f"{base_url}/chat/completions", body, {}, '"content"')
        return reply

    return ask


class Speakers:
    """Clients of the site, each in one conversation of its own after the other.

    `user_of` names the user that a client speaks for.
    """

    def __init__(
        self,
        url: str,
        clients: int,
        user_of: Callable[[int], str],
        rounds_each: int = ROUNDS_EACH,
    ) -> None:
        self._url = url
        self._user_of = user_of
        self._rounds_each = rounds_each
        self._conversations: list[str | None] = [None] * clients
        self._rounds = [0] * clients

    async def send(self, client: httpx.AsyncClient, number: int, text: str) -> Reply:
        body: dict[str, object] = {"message": text, "stream": True}
        if self._rounds[number] % self._rounds_each:
            body["conversation_id"] = self._conversations[number]
        self._rounds[number] += 1
        headers = {USER_HEADER: self._user_of(number)}
        reply, answer = await _read_stream(client, f"{self._url}/chat", body, headers, '"text"')
        self._conversations[number] = answer.headers["X-Conversation-Id"]
        return reply


async def _read_stream(
    client: httpx.AsyncClient, url: str, body: object, headers: Mapping[str, str], token: str
) -> tuple[Reply, httpx.Response]:
    """`token` is in the data of every piece of the reply."""
    began = time.perf_counter()
    first = 0.0
    async with client.stream("POST", url, json=body, headers=headers) as answer:
        async for line in answer.aiter_lines():
            if not first and token in line:
                first = time.perf_counter()
    if not first:
        raise SystemExit(f"{url} answered {answer.status_code}, without a token")
    whole = time.perf_counter()
    return Reply(first_ms=(first - began) * 1000, whole_ms=(whole - began) * 1000), answer
