"""The client for code with `async`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from types import TracebackType
from typing import Self, TypeVar

import httpx
import tenacity
from httpx_sse import aconnect_sse

from throughline_client import calls
from throughline_client.calls import Call, Page
from throughline_client.errors import (
    ApiError,
    ConnectionFailedError,
    raise_failure,
    raise_for_status,
)
from throughline_client.models import (
    ChangedConversation,
    Conversation,
    Episode,
    Fact,
    Found,
    Message,
    Mode,
    Rating,
    Receipt,
    Variant,
)
from throughline_client.models import Reply as WholeReply
from throughline_client.options import Options
from throughline_client.retries import is_worth_another, retry_options, wait_before
from throughline_client.streams import Delta, ReplyProgress

T = TypeVar("T")


class AsyncThroughline:
    """A site, as the user of `token` sees it. For one event loop.

    All methods raise `ApiError`, and `ConnectionFailedError` when the site cannot be reached.
    """

    def __init__(self, base_url: str, token: str, options: Options | None = None) -> None:
        self._options = options or Options()
        self._http = httpx.AsyncClient(**self._options.for_httpx(base_url, token))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def chat(
        self,
        message: str,
        conversation_id: str | None = None,
        *,
        mode: Mode | None = None,
        idempotency_key: str | None = None,
    ) -> WholeReply:
        """Send a message and wait for the whole reply. Without an id it begins a conversation."""
        return await self._send(calls.chat(message, conversation_id, mode, idempotency_key))

    def stream(
        self,
        message: str,
        conversation_id: str | None = None,
        *,
        mode: Mode | None = None,
        idempotency_key: str | None = None,
    ) -> AsyncReplyStream:
        """Send a message when the stream is read first, and read the reply as it is written."""
        call = calls.chat(message, conversation_id, mode, idempotency_key)
        return AsyncReplyStream(self._http, call, self._options.attempts)

    async def retry(self, conversation_id: str, sequence: int) -> WholeReply:
        """Write the newest reply again. The text that it had stays as a variant."""
        return await self._send(calls.retry(conversation_id, sequence))

    async def branch(
        self,
        conversation_id: str,
        sequence: int,
        message: str,
        *,
        idempotency_key: str | None = None,
    ) -> WholeReply:
        """Send message `sequence` in other words, in a new conversation with those before it."""
        return await self._send(calls.branch(conversation_id, sequence, message, idempotency_key))

    async def stop(self, conversation_id: str, sequence: int) -> None:
        """End a reply early. What was written is kept."""
        await self._send(calls.stop(conversation_id, sequence))

    def conversations(
        self, *, archived: bool = False, pinned: bool = False
    ) -> AsyncIterator[Conversation]:
        """All conversations but the archived ones, newest activity first, read page by page.

        With `archived` those alone; with `pinned` the pinned ones alone.
        """
        return self._pages(
            lambda cursor: calls.conversations(cursor, archived=archived, pinned=pinned)
        )

    async def change_conversation(
        self,
        conversation_id: str,
        *,
        title: str | None = None,
        pinned: bool | None = None,
        archived: bool | None = None,
    ) -> ChangedConversation:
        """Rename, pin or archive. What is None stays as it is."""
        call = calls.change_conversation(
            conversation_id, title=title, pinned=pinned, archived=archived
        )
        return await self._send(call)

    def messages(self, conversation_id: str) -> AsyncIterator[Message]:
        """The messages of a conversation, newest page first, each page oldest first."""
        return self._pages(lambda cursor: calls.messages(conversation_id, cursor))

    def variants(self, conversation_id: str, sequence: int) -> AsyncIterator[Variant]:
        """The variants of a reply in the order in which they were written."""
        return self._pages(lambda cursor: calls.variants(conversation_id, sequence, cursor))

    async def choose(self, conversation_id: str, sequence: int, variant: int) -> Message:
        """Let a variant be the reply: the newest one only."""
        return await self._send(calls.change_reply(conversation_id, sequence, variant=variant))

    async def rate(self, conversation_id: str, sequence: int, rating: Rating | None) -> Message:
        """Rate a reply; None takes the rating back."""
        return await self._send(calls.change_reply(conversation_id, sequence, rating=rating))

    async def delete_conversation(
        self, conversation_id: str, *, with_replies: bool = False, dry_run: bool = False
    ) -> Receipt:
        """`with_replies`: also the replies of other conversations that repeat what it said."""
        call = calls.delete_conversation(
            conversation_id, with_replies=with_replies, dry_run=dry_run
        )
        return await self._send(call)

    def facts(self, category: str | None = None) -> AsyncIterator[Fact]:
        """Current facts, by category and key."""
        return self._pages(lambda cursor: calls.facts(category, cursor))

    async def remember(
        self, category: str, key: str, value: str, *, idempotency_key: str | None = None
    ) -> Fact:
        """State a fact. The same value again answers with the fact that is there."""
        return await self._send(calls.add_fact(category, key, value, idempotency_key))

    async def correct(self, fact_id: int, value: str) -> Fact:
        return await self._send(calls.correct_fact(fact_id, value))

    async def forget(
        self,
        fact_id: int,
        *,
        everywhere: bool = False,
        with_facts: Sequence[int] | None = None,
        dry_run: bool = False,
    ) -> Receipt:
        """Delete a fact with its versions; `everywhere`, also the messages that taught it.

        Other facts of these messages stay, but for those that say the same value, or for exactly
        those of `with_facts`.
        """
        call = calls.delete_fact(
            fact_id, everywhere=everywhere, with_facts=with_facts, dry_run=dry_run
        )
        return await self._send(call)

    def episodes(self, conversation_id: str | None = None) -> AsyncIterator[Episode]:
        """Episodes, newest first."""
        return self._pages(lambda cursor: calls.episodes(conversation_id, cursor))

    async def search(self, query: str, limit: int = 20) -> Found:
        """Search in everything that was said."""
        return await self._send(calls.search(query, limit))

    async def _pages(self, call: Callable[[str | None], Call[Page[T]]]) -> AsyncIterator[T]:
        cursor: str | None = None
        while True:
            page = await self._send(call(cursor))
            for entry in page.entries:
                yield entry
            cursor = page.next_cursor
            if cursor is None:
                return

    async def _send(self, call: Call[T]) -> T:
        retrying = tenacity.AsyncRetrying(**retry_options(call, self._options.attempts))
        try:
            result: T = await retrying(self._send_once, call)
        except httpx.TransportError as exc:
            raise ConnectionFailedError(str(exc)) from exc
        return result

    async def _send_once(self, call: Call[T]) -> T:
        response = await self._http.request(
            call.method, call.path, params=call.params, json=call.body, headers=call.headers
        )
        raise_for_status(response)
        return call.read(response.json() if response.content else None)


class AsyncReplyStream:
    """The pieces of a reply. After a lost connection it reads on from the same place."""

    def __init__(self, http: httpx.AsyncClient, call: Call[WholeReply], attempts: int) -> None:
        self._http = http
        self._attempts = attempts
        self._progress = ReplyProgress(call)

    @property
    def text(self) -> str:
        """What has been written so far."""
        return self._progress.text

    @property
    def conversation_id(self) -> str | None:
        """Known from the first event on."""
        return self._progress.conversation_id

    async def reply(self) -> WholeReply:
        """The whole reply. Reads the rest of the stream first."""
        async for _ in self:
            pass
        return self._progress.whole()

    async def __aiter__(self) -> AsyncIterator[Delta]:
        failures = 0
        while self._progress.reply is None:
            before = len(self.text)
            call, headers = self._progress.next_call()
            try:
                async for delta in self._read(call, headers):
                    yield delta
            except (ApiError, httpx.TransportError) as exc:
                failures = 1 if len(self.text) > before else failures + 1
                if failures >= self._attempts or not is_worth_another(call, exc):
                    raise_failure(exc)
                await asyncio.sleep(wait_before(exc, failures))

    async def _read(self, call: Call[WholeReply], headers: dict[str, str]) -> AsyncIterator[Delta]:
        async with aconnect_sse(
            self._http, call.method, call.path, json=call.body, headers=headers
        ) as source:
            if not source.response.is_success:
                await source.response.aread()
                raise_for_status(source.response)
            async for event in source.aiter_sse():
                delta = self._progress.take(event)
                if delta is not None:
                    yield delta
        self._progress.whole()
