"""The events of a reply: what they mean, and where to read on."""

from __future__ import annotations

import json
from typing import Any

import pytest
from httpx_sse import ServerSentEvent

from throughline_client import Delta, ReplyFailedError, calls
from throughline_client.streams import CutOffError, ReplyProgress

META: dict[str, Any] = {
    "conversation_id": "c1", "user_sequence": 0, "sequence": 1, "model": "m", "provider": "p",
    "offset": 0,
}  # fmt: skip
DONE = {"status": "complete", "finish_reason": "stop", "model": "m", "provider": "p"}


def event(name: str, at: str = "7-0", **data: Any) -> ServerSentEvent:
    return ServerSentEvent(event=name, data=json.dumps(data), id=at)


@pytest.fixture
def progress() -> ReplyProgress:
    return ReplyProgress(calls.chat("Hello", None, None, "key"))


def test_pieces_say_where_they_belong(progress: ReplyProgress) -> None:
    assert progress.take(event("meta", **META)) is None
    assert progress.take(event("delta", text="Good ")) == Delta("Good ", 0)
    assert progress.take(event("delta", text="day")) == Delta("day", 5)
    progress.take(event("done", content="Good day", **DONE))
    assert (progress.whole().reply, progress.whole().conversation_id) == ("Good day", "c1")


def test_before_the_site_names_the_reply_the_message_is_sent_again(
    progress: ReplyProgress,
) -> None:
    call, headers = progress.next_call()
    assert (call.method, call.path, headers) == (
        "POST", "/api/v1/chat", {"Idempotency-Key": "key"},
    )  # fmt: skip
    assert call.body is not None
    assert call.body["stream"] is True


def test_afterwards_the_rest_is_read_from_the_last_event(progress: ReplyProgress) -> None:
    progress.take(event("meta", **META))
    progress.take(event("delta", at="7-5", text="Good "))
    call, headers = progress.next_call()
    assert (call.method, call.path) == ("GET", "/api/v1/chat/c1/1/stream")
    assert headers == {"Last-Event-ID": "7-5"}


def test_another_attempt_begins_the_text_anew(progress: ReplyProgress) -> None:
    progress.take(event("meta", **META))
    progress.take(event("delta", text="Good "))
    progress.take(event("meta", at="8-0", **META))
    assert progress.take(event("delta", at="8-3", text="Hi!")) == Delta("Hi!", 0)
    assert progress.text == "Hi!"


def test_a_reply_that_failed_keeps_its_part(progress: ReplyProgress) -> None:
    progress.take(event("meta", **META))
    with pytest.raises(ReplyFailedError) as failed:
        progress.take(event("error", code="llm_timeout", message="Too slow.", content="Go"))
    assert (failed.value.code, failed.value.partial_reply) == ("llm_timeout", "Go")
    assert (failed.value.conversation_id, failed.value.sequence) == ("c1", 1)


def test_a_stream_that_ends_early_is_no_reply(progress: ReplyProgress) -> None:
    progress.take(event("meta", **META))
    with pytest.raises(CutOffError):
        progress.whole()
