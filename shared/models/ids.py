"""Identifiers, and the fixed values of columns."""

from __future__ import annotations

from typing import Literal, NewType

UserId = NewType("UserId", str)
ConversationId = NewType("ConversationId", str)

Role = Literal["user", "assistant"]
#: `active` recalls and learns, `passive` learns only, `off` does neither.
Mode = Literal["active", "passive", "off"]
#: `streaming`: the reply is being written. `partial`: the reply was stopped or broke off.
MessageStatus = Literal["streaming", "complete", "partial", "failed"]
#: Why the writing of a reply ended. `stop`: it is whole. `length`: the model reached its limit of
#: tokens. `cancelled`: the user stopped it. `error`: a fault.
FinishReason = Literal["stop", "length", "content_filter", "cancelled", "error"]
JobStatus = Literal["processing", "completed", "failed"]
#: `queued` and `running` are both `processing` in the table.
JobState = Literal["queued", "running", "completed", "failed"]
#: `lost`: a live job whose worker is gone. `live`: a job for new messages. `backlog`: a job for
#: imported messages, or for messages that have waited for long.
Urgency = Literal["lost", "live", "backlog"]
Category = Literal["identity", "preference", "constraint", "instruction"]
#: How a tidying ended a version of a fact. `joined`: another fact said the same thing.
#: `contradicted`: a newer one says the opposite. `expired`: the day has passed until which it held.
Tidied = Literal["joined", "contradicted", "expired"]
