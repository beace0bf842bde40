"""The Python client at a real site, over connections that break."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from tests.e2e.site import Site
from throughline_client import (
    ApiError,
    AsyncThroughline,
    ConnectionFailedError,
    Options,
    Throughline,
)

TOKEN = "none is asked for here"  # noqa: S105


class CutAfter(httpx.SyncByteStream):
    """The beginning of an answer, after which the connection breaks."""

    def __init__(self, whole: httpx.SyncByteStream, size: int) -> None:
        self._whole = whole
        self._left = size

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._whole:
            yield piece[: self._left]
            self._left -= len(piece)
            if self._left <= 0:
                break
        raise httpx.ReadError("cut by the test")

    def close(self) -> None:
        self._whole.close()


class Breaking(httpx.BaseTransport):
    """Breaks the first `times` answers after so many bytes; 0 loses the answer whole."""

    def __init__(self, times: int, size: int = 0) -> None:
        self._real = httpx.HTTPTransport()
        self._times = times
        self._size = size
        self.requests: list[str] = []

    def close(self) -> None:
        self._real.close()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self._real.handle_request(request)
        self.requests.append(f"{request.method} {request.url.path}")
        if len(self.requests) > self._times:
            return response
        assert isinstance(response.stream, httpx.SyncByteStream)
        if not self._size:
            response.read()
            response.close()
            raise httpx.ReadError("lost by the test")
        cut = CutAfter(response.stream, self._size)
        return httpx.Response(response.status_code, headers=response.headers, stream=cut)


@pytest.fixture
def client(site: Site) -> Iterator[Throughline]:
    with Throughline(site.url, TOKEN) as client:
        yield client


def over(site: Site, transport: httpx.BaseTransport) -> Throughline:
    return Throughline(site.url, TOKEN, Options(more={"transport": transport}))


def test_a_talk_is_kept_and_found(client: Throughline) -> None:
    first = client.chat("My canoe is called Wanderfalke.")
    second = client.chat("What is my canoe called?", first.conversation_id)
    assert second.sequence == first.sequence + 2
    messages = list(client.messages(first.conversation_id))
    assert [message.role for message in messages] == ["user", "assistant"] * 2
    assert messages[1].content == first.reply
    assert any("Wanderfalke" in hit.text for hit in client.search("Wanderfalke").messages)
    assert first.conversation_id in {
        conversation.conversation_id for conversation in client.conversations()
    }


def test_facts_are_stated_corrected_and_forgotten(client: Throughline) -> None:
    fact = client.remember("preference", "client_tea", "green")
    assert client.remember("preference", "client_tea", "green").fact_id == fact.fact_id
    corrected = client.correct(fact.fact_id, "black")
    assert [row.value for row in client.facts("preference") if row.key == "client_tea"] == ["black"]
    assert client.forget(corrected.fact_id, dry_run=True).deleted is False
    assert client.forget(corrected.fact_id).counts["facts"] >= 1
    assert "client_tea" not in {row.key for row in client.facts()}


def test_long_lists_are_read_page_by_page(client: Throughline) -> None:
    keys = {f"client_list_{number:03}" for number in range(120)}
    for key in keys:
        client.remember("preference", key, "yes")
    listed_keys = [fact.key for fact in client.facts("preference") if fact.key in keys]
    assert sorted(listed_keys) == sorted(keys)


def test_replies_have_variants_ratings_and_branches(client: Throughline) -> None:
    first = client.chat("Name a canoe for me.")
    conversation_id, sequence = first.conversation_id, first.sequence
    again = client.retry(conversation_id, sequence)
    variants = list(client.variants(conversation_id, sequence))
    assert [(variant.variant, variant.chosen, variant.content) for variant in variants] == [
        (1, False, first.reply), (2, True, again.reply),
    ]  # fmt: skip
    assert client.choose(conversation_id, sequence, 1).variants == [1, 2]
    assert client.rate(conversation_id, sequence, "up").rating == "up"
    assert client.rate(conversation_id, sequence, None).rating is None
    other = client.branch(conversation_id, 0, "Name a kayak for me.")
    [branch] = [c for c in client.conversations() if c.conversation_id == other.conversation_id]
    assert (branch.branched_from, branch.branched_at) == (conversation_id, 0)
    assert branch.chat_id == conversation_id


def test_a_reply_is_read_as_it_is_written(client: Throughline) -> None:
    stream = client.stream("Tell me about canoes.")
    pieces = list(stream)
    assert "".join(piece.text for piece in pieces) == stream.text == stream.reply.reply
    assert pieces[0].offset == 0
    messages = list(client.messages(stream.reply.conversation_id))
    assert messages[-1].content == stream.text


def test_a_lost_answer_makes_no_second_round(site: Site, client: Throughline) -> None:
    transport = Breaking(times=1)
    with over(site, transport) as unlucky:
        reply = unlucky.chat("Say this once only, please.")
    assert transport.requests == ["POST /api/v1/chat"] * 2
    assert len(list(client.messages(reply.conversation_id))) == 2


def test_a_lost_answer_makes_no_second_fact(site: Site, client: Throughline) -> None:
    with over(site, Breaking(times=1)) as unlucky:
        fact = unlucky.remember("preference", "client_once", "yes")
    assert [row.fact_id for row in client.facts() if row.key == "client_once"] == [fact.fact_id]


@pytest.mark.parametrize("size", [300, 350, 400])
def test_a_cut_stream_is_read_on_from_where_it_broke(site: Site, size: int) -> None:
    """`size` bytes hold the first event, and some of them a part of the next one."""
    transport = Breaking(times=2, size=size)
    with over(site, transport) as unlucky:
        stream = unlucky.stream("Tell me about rivers.")
        text = "".join(piece.text for piece in stream)
    assert text == stream.reply.reply
    assert transport.requests.count("POST /api/v1/chat") == 1
    assert any(path.endswith("/stream") for path in transport.requests)


def test_errors_say_what_is_wrong(client: Throughline) -> None:
    with pytest.raises(ApiError) as missing:
        client.correct(10**12, "x")
    assert (missing.value.status, missing.value.code) == (404, "not_found")
    with pytest.raises(ApiError) as refused:
        client.remember("no such category", "a", "b")
    assert refused.value.status == 400


def test_a_site_that_is_not_there_is_said_so() -> None:
    with (
        Throughline("http://127.0.0.1:9", TOKEN, Options(attempts=1)) as nobody,
        pytest.raises(ConnectionFailedError),
    ):
        nobody.chat("Hello?")


def test_with_async_everything_is_the_same(site: Site) -> None:
    async def talk() -> tuple[Any, ...]:
        async with AsyncThroughline(site.url, TOKEN) as client:
            first, other = await asyncio.gather(
                client.chat("My kayak is called Otter."), client.chat("Hello.")
            )
            stream = client.stream("What is my kayak called?", first.conversation_id)
            text = "".join([piece.text async for piece in stream])
            messages = await _list(client.messages(first.conversation_id))
            fact = await client.remember("preference", "client_kayak", "Otter")
            receipt = await client.forget(fact.fact_id)
            hits = await client.search("Otter")
            return first, other, text, await stream.reply(), messages, receipt, hits

    first, other, text, reply, messages, receipt, hits = asyncio.run(talk())
    assert first.conversation_id != other.conversation_id
    assert text == reply.reply == messages[-1].content
    assert len(messages) == 4
    assert receipt.deleted
    assert hits.messages


async def _list(entries: AsyncIterator[Any]) -> list[Any]:
    return [entry async for entry in entries]
