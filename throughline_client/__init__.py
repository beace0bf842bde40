"""A client for Throughline's API: chat with memory, from Python.

from throughline_client import Throughline

with Throughline("http://127.0.0.1:8000", token="tl_…") as site:
    reply = site.chat("My name is Ada.")
    print(site.chat("What is my name?", reply.conversation_id).reply)
"""

from __future__ import annotations

from throughline_client.asynchronous import AsyncReplyStream, AsyncThroughline
from throughline_client.errors import (
    ApiError,
    ConnectionFailedError,
    ReplyFailedError,
    ThroughlineError,
)
from throughline_client.models import (
    ChangedConversation,
    Conversation,
    Episode,
    Fact,
    Found,
    FoundMessage,
    Message,
    Receipt,
    Reply,
    Variant,
)
from throughline_client.options import Options
from throughline_client.streams import Delta
from throughline_client.sync import ReplyStream, Throughline

__all__ = [
    "ApiError",
    "AsyncReplyStream",
    "AsyncThroughline",
    "ChangedConversation",
    "ConnectionFailedError",
    "Conversation",
    "Delta",
    "Episode",
    "Fact",
    "Found",
    "FoundMessage",
    "Message",
    "Options",
    "Receipt",
    "Reply",
    "ReplyFailedError",
    "ReplyStream",
    "Throughline",
    "ThroughlineError",
    "Variant",
]
