"""A reply as it is written: what the events mean, and where to read on after a lost connection."""

from __future__ import annotations

from dataclasses import dataclass

import httpx
from httpx_sse import ServerSentEvent

from throughline_client.calls import Call, follow, streamed
from throughline_client.errors import ReplyFailedError
from throughline_client.models import Reply


class CutOffError(httpx.TransportError):
    """A stream ended before its reply did."""


@dataclass(frozen=True)
class Delta:
    """A piece of the reply. `offset` is where it belongs in the text, in characters.

    A piece at an offset that was there before begins another attempt: drop what followed.
    """

    text: str
    offset: int


class ReplyProgress:
    """What is known of a reply so far. It does no I/O."""

    def __init__(self, call: Call[Reply]) -> None:
        self._call = streamed(call)
        self._last_event_id: str | None = None
        self._meta: dict[str, object] = {}
        self.text = ""
        #: Set when the reply is whole.
        self.reply: Reply | None = None

    @property
    def conversation_id(self) -> str | None:
        value = self._meta.get("conversation_id")
        return str(value) if value is not None else None

    def next_call(self) -> tuple[Call[Reply], dict[str, str]]:
        """The call to open, with its headers.

        The message again, under the same key, until the site has named the reply. Then the rest.
        """
        if not self._meta:
            return self._call, self._call.headers
        call = follow(str(self._meta["conversation_id"]), int(str(self._meta["sequence"])))
        return call, {"Last-Event-ID": self._last_event_id} if self._last_event_id else {}

    def whole(self) -> Reply:
        """Raises `CutOffError` when the stream ended before the reply did."""
        if self.reply is None:
            raise CutOffError("The stream ended before the reply did.")
        return self.reply

    def take(self, event: ServerSentEvent) -> Delta | None:
        """Raises `ReplyFailedError` when the reply has failed."""
        self._last_event_id = event.id or self._last_event_id
        data = event.json()
        if event.event == "meta":
            self._meta = data
            self.text = self.text[: data["offset"]]
        elif event.event == "delta":
            delta = Delta(data["text"], len(self.text))
            self.text += delta.text
            return delta
        elif event.event == "done":
            self.text = data["content"]
            self.reply = Reply.model_validate({**self._meta, **data, "reply": data["content"]})
        elif event.event == "error":
            raise self._failure(data)
        return None

    def _failure(self, data: dict[str, object]) -> ReplyFailedError:
        error = ReplyFailedError(200, str(data["code"]), str(data["message"]))
        error.partial_reply = str(data["content"])
        error.conversation_id = str(self._meta.get("conversation_id", ""))
        error.sequence = int(str(self._meta.get("sequence", -1)))
        return error
