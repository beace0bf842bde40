"""Identifiers and the fixed words of columns."""

from __future__ import annotations

from typing import Literal, NewType

UserId = NewType("UserId", str)
ConversationId = NewType("ConversationId", str)

Role = Literal["user", "assistant"]
#: `active` recalls and learns, `passive` learns only, `off` does neither.
Mode = Literal["active", "passive", "off"]
#: `streaming`: a reply that is being written. `partial`: it was stopped or broke off.
MessageStatus = Literal["streaming", "complete", "partial", "failed"]
#: Why the writing of a reply ended. `stop`: it is whole. `length`: the model reached its limit of
#: tokens. `cancelled`: the user stopped it. `error`: a fault.
FinishReason = Literal["stop", "length", "content_filter", "cancelled", "error"]
JobStatus = Literal["processing", "completed", "failed"]
#: `queued` and `running` are both `processing` in the table.
JobState = Literal["queued", "running", "completed", "failed"]
Kind = Literal["summary", "episode", "facts", "title"]
#: What a process works on under a lease that it renews.
Leased = Literal["reply", "summary", "episode", "facts", "title"]
#: `lost`: a live job whose worker is gone. `live`: of what was said just now. `backlog`: of what
#: was imported, or left behind for long.
Urgency = Literal["lost", "live", "backlog"]
Category = Literal["identity", "preference", "constraint", "instruction"]
