"""What a job asks for when it wants to call memory's model: its rank among the others."""

from __future__ import annotations

from typing import Literal

from shared.ephemeral.admission import SlotRequest
from shared.llm import pace_of, server_of
from shared.models import Kind
from shared.models.job_kinds import DERIVATIONS
from shared.services import Services

#: The examination of the model decides what memory believes.
FIRST_KINDS = frozenset({"check", *(d.kind for d in DERIVATIONS.values() if d.is_urgent)})


def request_slot(
    services: Services, kind: Kind | Literal["check"], job_id: int, *, in_backlog: bool
) -> SlotRequest:
    """What the next prompts need comes first. Summaries and episodes are of use when turns no
    longer fit, unless prompts have no turns but those that no summary covers.
    """
    settings = services.models.settings()
    is_needed = kind in FIRST_KINDS or (kind == "summary" and not settings.recent_tokens)
    pace = pace_of(server_of(settings.effective_memory_model, settings) or "")
    return SlotRequest(
        kind=kind,
        job_id=job_id,
        rank=2 if in_backlog else 0 if is_needed else 1,
        is_quick=pace.is_quick,
    )
