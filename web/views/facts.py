"""Facts about the user: listed, stated, corrected, undone, deleted."""

from __future__ import annotations

from typing import Annotated, get_args

from flask import Blueprint, Response, g, jsonify, request
from pydantic import Field

from shared.errors import InvalidRequestError
from shared.events.announcements import announce
from shared.facts import corrections
from shared.models import Category, Fact
from shared.store.facts import versions as fact_versions
from shared.user_data.erasure.facts import erase_fact
from web.callers import needs
from web.context import transaction, web_context
from web.forms import StrictForm, read_flag, read_form, read_instant
from web.receipts import receipt_json

blueprint = Blueprint("facts", __name__, url_prefix="/api/facts")

FACT = "/<bigint:fact_id>"
CATEGORIES: tuple[Category, ...] = get_args(Category)

Share = Annotated[float, Field(ge=0, le=1)]


class FactForm(StrictForm):
    """`POST /api/facts`."""

    category: Category
    key: str
    value: str
    importance: Share | None = None


class CorrectionForm(StrictForm):
    """`PATCH /api/facts/{fact_id}`."""

    category: Category | None = None
    key: str | None = None
    value: str | None = None
    importance: Share | None = None


@blueprint.get("")
@needs("memory:read")
def list_facts() -> Response:
    """Current versions. `include=history` adds earlier ones; `as_of` lists those of that time."""
    category, as_of = _read_category(), read_instant(request, "as_of")
    with transaction() as connection:
        found = fact_versions.list_facts(
            connection,
            g.user_id,
            category=category,
            with_history=request.args.get("include") == "history",
            as_of=as_of,
        )
    return jsonify(facts=[fact_json(fact) for fact in found])


@blueprint.get(f"{FACT}/versions")
@needs("memory:read")
def list_versions(fact_id: int) -> Response:
    """All versions under this fact's category and key, newest first."""
    with transaction() as connection:
        fact = fact_versions.get_fact(connection, g.user_id, fact_id)
        found = fact_versions.list_versions(connection, g.user_id, fact)
    return jsonify(versions=[fact_json(version) for version in found])


@blueprint.post("")
@needs("memory:write")
def add_fact() -> tuple[Response, int]:
    """201 with a new version, or 200 when the current one says the same."""
    form = read_form(request, FactForm)
    statement = corrections.Statement(**form.model_dump())
    with transaction() as connection:
        fact, is_new = corrections.state_fact(connection, g.user_id, statement)
    announce(web_context().services, g.user_id)
    return jsonify(fact_json(fact)), 201 if is_new else 200


@blueprint.patch(FACT)
@needs("memory:write")
def correct_fact(fact_id: int) -> Response:
    """Answers with the current version. A new value has a new `fact_id`."""
    form = read_form(request, CorrectionForm)
    correction = corrections.Correction(**form.model_dump())
    with transaction() as connection:
        fact = corrections.correct_fact(connection, g.user_id, fact_id, correction)
    announce(web_context().services, g.user_id)
    return jsonify(fact_json(fact))


@blueprint.post(f"{FACT}/undo")
@needs("memory:write")
def undo_replacement(fact_id: int) -> Response:
    """The version that this one replaced becomes current again."""
    with transaction() as connection:
        fact = corrections.undo_replacement(connection, g.user_id, fact_id)
    announce(web_context().services, g.user_id)
    return jsonify(fact_json(fact))


@blueprint.delete(FACT)
@needs("memory:write")
def delete_fact(fact_id: int) -> Response:
    """Delete a fact with all its versions. Earlier messages do not teach it again.

    `everywhere` also deletes the rounds that taught it, the replies that tell it, and what was
    derived from these.
    """
    everywhere, dry_run = read_flag(request, "everywhere"), read_flag(request, "dry_run")
    services = web_context().services
    receipt = erase_fact(services, g.user_id, fact_id, everywhere=everywhere, dry_run=dry_run)
    return jsonify(receipt_json(receipt))


def fact_json(fact: Fact) -> dict[str, object]:
    return {
        "fact_id": fact.fact_id,
        "category": fact.category,
        "key": fact.key,
        "value": fact.value,
        "confidence": fact.confidence,
        "importance": fact.importance,
        "is_active": fact.is_active,
        "source": _source_json(fact),
        "valid_from": fact.valid_from.isoformat(),
        "valid_to": fact.valid_to.isoformat() if fact.valid_to else None,
        "superseded_by": fact.superseded_by,
    }


def _source_json(fact: Fact) -> dict[str, object] | None:
    """None for a fact that the user stated, and once the conversation is deleted."""
    if fact.source_conversation_id is None:
        return None
    return {"conversation_id": fact.source_conversation_id, "sequence": fact.source_sequence}


def _read_category() -> Category | None:
    text = request.args.get("category")
    if text is None:
        return None
    for category in CATEGORIES:
        if category == text:
            return category
    raise InvalidRequestError(f"category: not one of {', '.join(CATEGORIES)}.")
