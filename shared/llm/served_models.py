"""The names that a server of OpenAI's protocol gives its models: `GET /models` at its address."""

from __future__ import annotations

import json

import httpx

from shared.llm.providers.http_client import model_client
from shared.llm.targets import site_target
from shared.models.site_models import SiteModel
from shared.outbound.connections import Bounds, bounded_call

TIMEOUT_S = 5.0
# A thousand names, each with all that OpenRouter says of a model.
BOUNDS = Bounds(whole_bytes=2_000_000, event_bytes=2_000_000, stream_bytes=2_000_000)
MAX_MODELS = 500
MAX_NAME_CHARS = 200


def list_served(model: SiteModel) -> tuple[str, ...] | None:
    """The names of the server's models, sorted. None: it has no list, or cannot be asked."""
    target = site_target(model)
    if target.api_base is None:
        return None
    try:
        body = _read(f"{target.api_base}/models", f"Bearer {target.api_key}")
        entries = json.loads(body)["data"]
        names = {str(entry["id"]) for entry in entries}
    except (
        httpx.HTTPError,
        httpx.InvalidURL,
        OSError,
        ValueError,
        LookupError,
        TypeError,
        RecursionError,
    ):
        return None
    usable = (name for name in names if name.isprintable() and 0 < len(name) <= MAX_NAME_CHARS)
    return tuple(sorted(usable)[:MAX_MODELS])


def _read(url: str, authorization: str) -> bytes:
    """Raises `ValueError` for a refusal, and httpx's errors for what is too large or too slow."""
    headers = {"Authorization": authorization}
    with bounded_call(BOUNDS, TIMEOUT_S):
        response = model_client().get(
            url, headers=headers, timeout=TIMEOUT_S, follow_redirects=False
        )
    if response.status_code != httpx.codes.OK:
        raise ValueError(response.status_code)
    return response.content
