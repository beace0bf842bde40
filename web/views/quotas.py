"""What the user has used of each quota."""

from __future__ import annotations

from datetime import datetime
from typing import get_args

from flask import Blueprint, g
from pydantic import Field

from shared.access.quotas import limit_of
from shared.models import Daily, Quota
from shared.store import quotas
from web.api.answers import Answer, Instant
from web.api.operation import operation
from web.process.context import transaction, web_context
from web.requests.callers import needs

blueprint = Blueprint("quotas", __name__, url_prefix="/me/quotas")


class QuotaAnswer(Answer):
    name: Quota
    used: int
    limit: int | None = Field(description="Null: there is none.")
    resets_at: Instant | None = Field(description="Null: time alone frees nothing.")


class QuotasAnswer(Answer):
    quotas: list[QuotaAnswer]


@blueprint.get("")
@needs()
@operation()
def show_quotas() -> QuotasAnswer:
    """List what the user has used of each quota."""
    with transaction() as connection:
        today = quotas.read_today(connection, g.user_id)
        used: dict[Quota, int] = {name: today.of(name) for name in get_args(Daily)}
        used["storage"] = quotas.count_stored_bytes(connection, g.user_id)
    used["followers"] = web_context().limits.followers.count(g.user_id)
    return QuotasAnswer(
        quotas=[_answer(name, used[name], today.resets_at) for name in get_args(Quota)]
    )


def _answer(name: Quota, used: int, resets_at: datetime) -> QuotaAnswer:
    return QuotaAnswer(
        name=name,
        used=used,
        limit=limit_of(web_context().services.settings, name) or None,
        resets_at=resets_at if name in get_args(Daily) else None,
    )
