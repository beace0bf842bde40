"""Search in all messages and episodes of the user."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from flask import Blueprint, Response, g, jsonify, request

from shared.embeddings import model_name
from shared.errors import InvalidRequestError
from shared.models import Query
from shared.policy.snippets import Pieces
from shared.policy.text import is_storable
from shared.recall.search import search_memory
from shared.store.search.hits import FoundMessage
from web.callers import needs
from web.context import web_context
from web.forms import read_instant, read_limit
from web.time_zone import find_zone
from web.views.episodes import episode_json

blueprint = Blueprint("search", __name__, url_prefix="/api/search")

MAX_QUERY_CHARS = 200
MANY_MINUSES = re.compile(r"(?:-\s*){17}")  # each negates the next; Postgres allows about thirty


@blueprint.get("")
@needs("memory:read")
def search() -> Response:
    """`snippet` is a list of [text, is_hit]; the client opens it by conversation and number.

    `corrected` lists misspelt words, each with the word that was searched for instead. `as_of`
    finds only what had been said by then. `incomplete`: the search ran out of time, so there may
    be more.
    """
    text = check_query(request.args.get("q", ""), "q")
    limit = read_limit(request, default=20, most=50)
    as_of = read_instant(request, "as_of")
    context = web_context()
    services, settings = context.services, context.services.settings
    query = Query(
        user_id=g.user_id,
        text=text,
        asked_at=(as_of or datetime.now(UTC)).astimezone(find_zone(services, g.user_id)),
        model=model_name(settings),
        as_of=as_of,
    )
    with context.limits.searches.slot(g.user_id):
        found = search_memory(
            services.database, context.encoder, query, limit, settings.search_timeout_s
        )
    return jsonify(
        query=text,
        corrected=found.corrected,
        incomplete=found.incomplete,
        messages=[_message_json(message, snippet) for message, snippet in found.messages],
        episodes=[
            {
                **episode_json(episode),
                "sequence_number": episode.span.start,
                "snippet": snippet,
            }
            for episode, snippet in found.episodes
        ],
    )


def check_query(text: str, name: str) -> str:
    """The text without white space around it. Raises `InvalidRequestError`, with `name` in it."""
    text = text.strip()
    if not text:
        raise InvalidRequestError(f"{name}: what to search for is missing.")
    if len(text) > MAX_QUERY_CHARS:
        limit = f"the limit is {MAX_QUERY_CHARS} characters"
        raise InvalidRequestError(f"{name}: is too long; {limit}.")
    if MANY_MINUSES.search(text):
        raise InvalidRequestError(f"{name}: has too many minus signs in a row.")
    if not is_storable(text):
        raise InvalidRequestError(f"{name}: holds characters that no message can hold.")
    return text


def _message_json(message: FoundMessage, snippet: Pieces) -> dict[str, object]:
    return {
        "conversation_id": message.conversation_id,
        "title": message.title,
        "sequence_number": message.sequence_number,
        "role": message.role,
        "created_at": message.created_at.isoformat(),
        "snippet": snippet,
    }
