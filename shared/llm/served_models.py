"""The names of models: `GET /models` of a server of OpenAI's protocol, else litellm's list."""

from __future__ import annotations

import json
import re

import httpx

from shared.llm.model_list import list_hosted
from shared.llm.providers.http_client import model_client
from shared.llm.targets import site_target
from shared.models.site_models import SiteModel
from shared.outbound.connections import Bounds, bounded_call

TIMEOUT_S = 5.0
# A thousand names, each with all that OpenRouter says of a model.
BOUNDS = Bounds(whole_bytes=2_000_000, event_bytes=2_000_000, stream_bytes=2_000_000)
MAX_MODELS = 500
MAX_NAME_CHARS = 200
#: The owner of the models of a site like this one, which would ask itself.
OURS = "throughline"
#: Names of models for other work than chats. One that is left out may be typed.
NOT_CHATTING = re.compile(
    r"embed|rerank|whisper|transcri|\btts\b|speech|realtime|moderation|dall-e|image|sora|\bbge\b",
    re.IGNORECASE,
)


def list_served(model: SiteModel) -> tuple[str, ...] | None:
    """The names of the models that chat where `model` is, sorted. None: nobody has a list."""
    if model.config.protocol == "litellm":
        return list_hosted(model.config.served_name.partition("/")[0]) or None
    target = site_target(model)
    return list_at(target.api_base or "", target.api_key, TIMEOUT_S)


def list_at(address: str, key: str | None, longest_s: float) -> tuple[str, ...] | None:
    """The names at an address of OpenAI's protocol. None: it has no list, or cannot be asked."""
    try:
        entries = json.loads(_read(f"{address}/models", key, longest_s))["data"]
        names = {str(entry["id"]) for entry in entries if entry.get("owned_by") != OURS}
    except (
        httpx.HTTPError,
        httpx.InvalidURL,
        OSError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        RecursionError,
    ):
        return None
    usable = (name for name in names if name.isprintable() and 0 < len(name) <= MAX_NAME_CHARS)
    return tuple(sorted(name for name in usable if not NOT_CHATTING.search(name))[:MAX_MODELS])


def _read(url: str, key: str | None, longest_s: float) -> bytes:
    """Raises `ValueError` for a refusal, and httpx's errors for what is too large or too slow."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    with bounded_call(BOUNDS, longest_s):
        response = model_client().get(
            url, headers=headers, timeout=longest_s, follow_redirects=False
        )
    if response.status_code != httpx.codes.OK:
        raise ValueError(response.status_code)
    return response.content
