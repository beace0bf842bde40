"""Each request as data: what is sent, and how its answer is read. Both clients send these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar
from urllib.parse import quote
from uuid import uuid4

from pydantic import TypeAdapter

from throughline_client.models import (
    ChangedConversation,
    Conversation,
    Episode,
    Fact,
    Found,
    Message,
    Mode,
    Receipt,
    Reply,
    Variant,
)

PREFIX = "/api/v1"
T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    method: str
    path: str
    #: Makes the result of the answer's JSON.
    read: Callable[[Any], T]
    params: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    #: With this Idempotency-Key the site does a thing once, however often it is asked.
    key: str | None = None

    @property
    def may_repeat(self) -> bool:
        """Whether to send it again when nobody knows whether it was handled."""
        return self.method == "GET" or self.key is not None

    @property
    def headers(self) -> dict[str, str]:
        return {"Idempotency-Key": self.key} if self.key else {}


@dataclass(frozen=True)
class Page(Generic[T]):
    entries: list[T]
    next_cursor: str | None


def chat(
    message: str,
    conversation_id: str | None,
    mode: Mode | None,
    key: str | None,
) -> Call[Reply]:
    body = {"message": message, "conversation_id": conversation_id, "mode": mode}
    return _create("/chat", body, Reply.model_validate, key)


def retry(conversation_id: str, sequence: int) -> Call[Reply]:
    path = f"{PREFIX}/chat/{_part(conversation_id)}/{sequence}/retry"
    return Call("POST", path, Reply.model_validate, body={})


def branch(conversation_id: str, sequence: int, message: str, key: str | None) -> Call[Reply]:
    path = f"/chat/{_part(conversation_id)}/{sequence}/branch"
    return _create(path, {"message": message}, Reply.model_validate, key)


def streamed(call: Call[Reply]) -> Call[Reply]:
    return replace(call, body={**(call.body or {}), "stream": True})


def follow(conversation_id: str, sequence: int) -> Call[Reply]:
    path = f"{PREFIX}/chat/{_part(conversation_id)}/{sequence}/stream"
    return Call("GET", path, Reply.model_validate)


def stop(conversation_id: str, sequence: int) -> Call[None]:
    path = f"{PREFIX}/chat/{_part(conversation_id)}/{sequence}/stop"
    return Call("POST", path, _nothing, body={})


def conversations(
    cursor: str | None = None, *, archived: bool = False, pinned: bool = False
) -> Call[Page[Conversation]]:
    flags = _flags(archived=archived, pinned=pinned)
    return _list("/conversations", "conversations", Conversation, cursor=cursor, **flags)


def change_conversation(conversation_id: str, **changes: Any) -> Call[ChangedConversation]:
    """Changes of None are left out."""
    path = f"{PREFIX}/conversations/{_part(conversation_id)}"
    body = {name: value for name, value in changes.items() if value is not None}
    return Call("PATCH", path, ChangedConversation.model_validate, body=body)


def delete_conversation(
    conversation_id: str, *, with_replies: bool, dry_run: bool
) -> Call[Receipt]:
    path = f"/conversations/{_part(conversation_id)}"
    return _delete(path, with_replies=with_replies, dry_run=dry_run)


def messages(conversation_id: str, cursor: str | None = None) -> Call[Page[Message]]:
    path = f"/conversations/{_part(conversation_id)}/messages"
    return _list(path, "messages", Message, cursor=cursor, limit=200)


def variants(conversation_id: str, sequence: int, cursor: str | None = None) -> Call[Page[Variant]]:
    path = f"/conversations/{_part(conversation_id)}/messages/{sequence}/variants"
    return _list(path, "variants", Variant, cursor=cursor)


def change_reply(conversation_id: str, sequence: int, **changes: Any) -> Call[Message]:
    path = f"{PREFIX}/conversations/{_part(conversation_id)}/messages/{sequence}"
    return Call("PATCH", path, Message.model_validate, body=changes)


def facts(category: str | None, cursor: str | None = None) -> Call[Page[Fact]]:
    return _list("/facts", "facts", Fact, category=category, cursor=cursor)


def add_fact(category: str, key: str, value: str, idempotency_key: str | None) -> Call[Fact]:
    body = {"category": category, "key": key, "value": value}
    return _create("/facts", body, Fact.model_validate, idempotency_key)


def correct_fact(fact_id: int, value: str) -> Call[Fact]:
    path = f"{PREFIX}/facts/{fact_id}"
    return Call("PATCH", path, Fact.model_validate, body={"value": value})


def delete_fact(
    fact_id: int, *, everywhere: bool, with_facts: Sequence[int] | None, dry_run: bool
) -> Call[Receipt]:
    call = _delete(f"/facts/{fact_id}", everywhere=everywhere, dry_run=dry_run)
    if with_facts is None:
        return call
    return replace(call, params={**call.params, "with_facts": ",".join(map(str, with_facts))})


def episodes(conversation_id: str | None, cursor: str | None = None) -> Call[Page[Episode]]:
    return _list("/episodes", "episodes", Episode, conversation_id=conversation_id, cursor=cursor)


def search(query: str, limit: int) -> Call[Found]:
    params = {"q": query, "limit": limit}
    return Call("GET", f"{PREFIX}/search", Found.model_validate, params)


def _create(
    path: str, body: Mapping[str, Any], read: Callable[[Any], T], key: str | None
) -> Call[T]:
    fields = {name: value for name, value in body.items() if value is not None}
    return Call("POST", PREFIX + path, read, body=fields, key=key or uuid4().hex)


def _delete(path: str, **flags: bool) -> Call[Receipt]:
    return Call("DELETE", PREFIX + path, Receipt.model_validate, _flags(**flags))


def _flags(**flags: bool) -> dict[str, str]:
    return {name: "true" for name, is_set in flags.items() if is_set}


def _list(path: str, name: str, kind: type[T], **params: Any) -> Call[Page[T]]:
    adapter = TypeAdapter(list[kind])  # type: ignore[valid-type]

    def read(body: Any) -> Page[T]:
        return Page(adapter.validate_python(body[name]), body["next_cursor"])

    query = {name: value for name, value in params.items() if value is not None}
    return Call("GET", PREFIX + path, read, query)


def _part(text: str) -> str:
    return quote(text, safe="")


def _nothing(_body: Any) -> None:
    return None
