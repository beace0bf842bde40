"""Identifiers and the fixed words of columns."""

from __future__ import annotations

from typing import Literal, NewType

UserId = NewType("UserId", str)
ConversationId = NewType("ConversationId", str)

Role = Literal["user", "assistant"]
Mode = Literal["active", "passive", "off"]
MessageStatus = Literal["streaming", "complete", "partial", "failed"]
# Why a reply's writing ended. `stop`: it is whole. `length`: the model was at its limit of tokens.
# `cancelled`: the user said stop. `error`: a fault.
FinishReason = Literal["stop", "length", "content_filter", "cancelled", "error"]
JobStatus = Literal["processing", "completed", "failed"]
JobState = Literal["queued", "running", "completed", "failed"]
Kind = Literal["summary", "episode", "facts", "title"]
#: What a process works on under a lease that it renews.
Leased = Literal["reply", "summary", "episode", "facts", "title"]
Urgency = Literal["lost", "live", "backlog"]
Category = Literal["identity", "preference", "constraint", "instruction"]
